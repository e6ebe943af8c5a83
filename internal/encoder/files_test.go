package encoder

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// safetensors writes a file of a header and a body.
func safetensors(header, body string) []byte {
	return append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header+body...)
}

func TestBrokenSafetensorsAreErrors(t *testing.T) {
	good := `{"__metadata__":{"format":"pt"},"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"I64","shape":[],"data_offsets":[8,16]}}`
	arrays, err := readSafetensors(safetensors(good, strings.Repeat("\x00", 16)))
	if err != nil || len(arrays) != 2 {
		t.Fatalf("%d arrays, %v", len(arrays), err)
	}
	one := func(array string) string { return `{"a":` + array + `}` }
	for _, c := range []struct {
		name string
		file []byte
		want string
	}{
		{"empty", nil, "shorter than the 8 bytes"},
		{"header beyond the end", safetensors(good, "")[:40], "its header would be"},
		{"header of 2^64 bytes", []byte("\xff\xff\xff\xff\xff\xff\xff\xff{}"), "its header would be"},
		{"header is text", safetensors("hello", ""), "its header is not JSON"},
		{"offsets beyond the end", safetensors(good, "1234"), "does not lie in the 4 bytes"},
		{"bytes after the last array", safetensors(good, strings.Repeat("x", 17)), "1 bytes follow the last array"},
		{"type not known", safetensors(one(`{"dtype":"F7","shape":[1],"data_offsets":[0,1]}`), "x"), `array "a": type "F7" is not known`},
		{"shape and bytes differ", safetensors(one(`{"dtype":"F32","shape":[2],"data_offsets":[0,4]}`), "abcd"), "4 bytes where shape [2] of F32 takes 8"},
		{"negative extent", safetensors(one(`{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}`), "abcd"), "shape [-1] is not possible"},
		{"extents that overflow", safetensors(one(`{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}`), ""), "is not possible"},
		{"backward offsets", safetensors(one(`{"dtype":"U8","shape":[0],"data_offsets":[1,0]}`), "x"), "does not lie in"},
		{"negative offset", safetensors(one(`{"dtype":"U8","shape":[1],"data_offsets":[-1,0]}`), "x"), `array "a"`},
		{"one offset", safetensors(one(`{"dtype":"U8","shape":[1],"data_offsets":[0]}`), "x"), "does not lie in"},
		{"unknown key", safetensors(one(`{"dtype":"U8","shape":[1],"offsets":[0,1]}`), "x"), `array "a"`},
		{"overlap", safetensors(`{"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}}`, "xyz"), `array "b" begins at byte 1 where 2 is wanted`},
	} {
		if _, err := readSafetensors(c.file); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	nan := safetensors(one(`{"dtype":"F32","shape":[1],"data_offsets":[0,4]}`), "\x00\x00\xc0\x7f")
	arrays, err = readSafetensors(nan)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := floats(arrays, "a", 1); err == nil || err.Error() != `array "a": number 0 is not finite` {
		t.Errorf("NaN: %v", err)
	}
	if _, err := floats(arrays, "a", 2); err == nil || !strings.Contains(err.Error(), "F32 [2] is wanted") {
		t.Errorf("wrong shape: %v", err)
	}
	if _, err := floats(arrays, "z", 2); err == nil || err.Error() != `there is no array "z"` {
		t.Errorf("no array: %v", err)
	}
}

func FuzzLoad(f *testing.F) {
	whole, err := os.ReadFile("testdata/tiny.safetensors")
	if err != nil {
		f.Fatal(err)
	}
	split := tinyVocabulary(f)
	f.Add(whole, 3)
	f.Add(whole[:3000], 3)
	f.Add(safetensors(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`, "12345678"), 1)
	f.Add(safetensors(`{"embeddings.word_embeddings.weight":{"dtype":"F32","shape":[0,0],"data_offsets":[0,0]}}`, ""), 1)
	f.Fuzz(func(t *testing.T, file []byte, heads int) {
		m, err := Load(file, split, heads)
		if err != nil {
			return
		}
		got, err := m.Hidden(t.Context(), [][]uint32{m.Tokenize("a b", 5)}, m.Layers())
		if err != nil || len(got[0]) != 4*m.Dim() {
			t.Fatalf("a model that loads gives %d numbers, %v", len(got[0]), err)
		}
	})
}

func TestMissingAndDamagedFilesNameTheCommand(t *testing.T) {
	t.Setenv("EDB_MODELS", t.TempDir())
	info, err := Lookup(MiniLM)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := info.Dir()
	if err != nil {
		t.Fatal(err)
	}
	expect := func(name string, want ...string) {
		t.Helper()
		_, err := Open(MiniLM)
		if err == nil {
			t.Fatalf("%s: no error", name)
		}
		for _, w := range append(want, "edb models pull minilm-l6") {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %q lacks %q", name, err, w)
			}
		}
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	expect("nothing there", "model.safetensors is not there")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	write("model.safetensors", "short")
	expect("no vocabulary", "vocab.txt is not there")
	write("vocab.txt", "[UNK]\n")
	expect("vocabulary cut off", "vocab.txt: 6 bytes where 231508 are wanted: cut off")
	write("vocab.txt", strings.Repeat("x", 231508))
	expect("vocabulary damaged", "vocab.txt: its SHA-256 is", "damaged")
	if _, err := Open("bert-base"); err == nil || err.Error() != `encoder "bert-base" is not known: use minilm-l6` {
		t.Errorf("unknown model: %v", err)
	}
}

func TestLoadNamesWhatIsWrong(t *testing.T) {
	whole, err := os.ReadFile("testdata/tiny.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	split := tinyVocabulary(t)
	if _, err := Load(whole, split, 5); err == nil || !strings.Contains(err.Error(), "5 heads cannot share") {
		t.Errorf("heads: %v", err)
	}
	renamed := []byte(strings.Replace(string(whole), "encoder.layer.1.output.dense.bias", "encoder.layer.1.output.dense.bibs", 1))
	if _, err := Load(renamed, split, 3); err == nil || !strings.Contains(err.Error(), `there is no array "encoder.layer.1.output.dense.bias"`) {
		t.Errorf("missing array: %v", err)
	}
}
