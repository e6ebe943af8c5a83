"""A plugin of docling that stands in for its layout and table models and finds nothing.

docling-serve opens its PDF pipeline before it reads any document, HTML and Word too, and that pipeline fetches
weights. Where they cannot be fetched, this plugin lets the server start: documents that state their structure (HTML,
Word, Excel, PowerPoint, Markdown, JATS, CSV) are read by docling as ever, since no model has a part in them. Of a PDF
docling keeps the lines of its text layer, without headings and tables: nothing that a figure may be made from.

Start the server with it (written for docling 2.143.0 and docling-serve 1.38.2):

    pip install ./docling_nolayout
    DOCLING_SERVE_ALLOW_EXTERNAL_PLUGINS=true \
    DOCLING_SERVE_LOAD_MODELS_AT_BOOT=false \
    DOCLING_SERVE_DEFAULT_LAYOUT_KIND=none DOCLING_SERVE_DEFAULT_LAYOUT_PRESET=none \
    DOCLING_SERVE_DEFAULT_TABLE_STRUCTURE_KIND=none DOCLING_SERVE_DEFAULT_TABLE_STRUCTURE_PRESET=none \
    DOCLING_SERVE_CUSTOM_TABLE_STRUCTURE_PRESETS='{"none": {"kind": "none"}}' \
    DOCLING_SERVE_DEFAULT_OCR_PRESET=tesseract \
    docling-serve run --port 5001
"""

from typing import ClassVar

from docling.datamodel.base_models import LayoutPrediction, TableStructurePrediction
from docling.datamodel.pipeline_options import BaseLayoutOptions, BaseTableStructureOptions
from docling.models.base_layout_model import BaseLayoutModel
from docling.models.base_table_model import BaseTableStructureModel


class NoLayoutOptions(BaseLayoutOptions):
    kind: ClassVar[str] = "none"


class NoLayout(BaseLayoutModel):
    def __init__(self, options, **_):
        self.options = options

    @classmethod
    def get_options_type(cls):
        return NoLayoutOptions

    def predict_layout(self, conv_res, pages):
        return [LayoutPrediction() for _ in pages]


class NoTablesOptions(BaseTableStructureOptions):
    kind: ClassVar[str] = "none"


class NoTables(BaseTableStructureModel):
    def __init__(self, options, enabled=True, **_):
        self.options, self.enabled = options, enabled

    @classmethod
    def get_options_type(cls):
        return NoTablesOptions

    def predict_tables(self, conv_res, pages):
        return [TableStructurePrediction() for _ in pages]


def layout_engines():
    return {"layout_engines": [NoLayout]}


def table_structure_engines():
    return {"table_structure_engines": [NoTables]}
