package encoder

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
)

// tensor is one array of a safetensors file, in the order of the file's bytes.
type tensor struct {
	dtype string
	shape []int
	data  []byte
}

const (
	longestHeader = 16 << 20 // bytes
	mostDims      = 8
)

// sizes are the bytes of one number by its type.
var sizes = map[string]int{"BOOL": 1, "U8": 1, "I8": 1, "F8_E4M3": 1, "F8_E5M2": 1, "U16": 2, "I16": 2, "F16": 2, "BF16": 2, "U32": 4, "I32": 4, "F32": 4, "U64": 8, "I64": 8, "F64": 8}

// readSafetensors reads the arrays of a safetensors file by name: eight bytes with the length of the
// header, the header as JSON, the numbers. The arrays share the memory of file. Arrays that overlap,
// lie outside of the file, leave holes, or are not as long as their shape says are errors that name
// the array.
func readSafetensors(file []byte) (map[string]tensor, error) {
	if len(file) < 8 {
		return nil, errors.New("shorter than the 8 bytes that give the length of its header: not a safetensors file, or cut off")
	}
	length := binary.LittleEndian.Uint64(file)
	if length > longestHeader || length > uint64(len(file)-8) {
		return nil, fmt.Errorf("its header would be %d bytes of %d: not a safetensors file, or cut off", length, len(file)-8)
	}
	body := file[8+length:]
	var header map[string]json.RawMessage
	if err := json.Unmarshal(file[8:8+length], &header); err != nil {
		return nil, fmt.Errorf("its header is not JSON: %w", err)
	}
	type place struct {
		name       string
		begin, end int
	}
	out := map[string]tensor{}
	var places []place
	for name, raw := range header {
		if name == "__metadata__" {
			continue
		}
		var t struct {
			DType   string   `json:"dtype"`
			Shape   []int    `json:"shape"`
			Offsets []uint64 `json:"data_offsets"`
		}
		d := json.NewDecoder(bytes.NewReader(raw))
		d.DisallowUnknownFields()
		if err := d.Decode(&t); err != nil {
			return nil, fmt.Errorf("array %q: %w", name, err)
		}
		size, ok := sizes[t.DType]
		if !ok {
			return nil, fmt.Errorf("array %q: type %q is not known", name, t.DType)
		}
		if len(t.Shape) > mostDims || len(t.Offsets) != 2 || t.Offsets[0] > t.Offsets[1] || t.Offsets[1] > uint64(len(body)) {
			return nil, fmt.Errorf("array %q: shape %v at %v does not lie in the %d bytes of the file", name, t.Shape, t.Offsets, len(body))
		}
		want := size
		for _, n := range t.Shape {
			if n < 0 || n > 0 && want > math.MaxInt/n {
				return nil, fmt.Errorf("array %q: shape %v is not possible", name, t.Shape)
			}
			want *= n
		}
		begin, end := int(t.Offsets[0]), int(t.Offsets[1])
		if end-begin != want {
			return nil, fmt.Errorf("array %q: %d bytes where shape %v of %s takes %d", name, end-begin, t.Shape, t.DType, want)
		}
		out[name] = tensor{t.DType, t.Shape, body[begin:end]}
		places = append(places, place{name, begin, end})
	}
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.end, b.end), cmp.Compare(a.name, b.name))
	})
	at := 0
	for _, p := range places {
		if p.begin != at {
			return nil, fmt.Errorf("array %q begins at byte %d where %d is wanted: arrays overlap or leave a hole", p.name, p.begin, at)
		}
		at = p.end
	}
	if at != len(body) {
		return nil, fmt.Errorf("%d bytes follow the last array", len(body)-at)
	}
	return out, nil
}

// floats gives the numbers of a float32 array of the wanted shape; -1 stands for any extent.
func floats(arrays map[string]tensor, name string, shape ...int) ([]float32, error) {
	t, ok := arrays[name]
	if !ok {
		return nil, fmt.Errorf("there is no array %q", name)
	}
	fits := t.dtype == "F32" && len(t.shape) == len(shape)
	for i := range shape {
		fits = fits && (shape[i] == -1 || t.shape[i] == shape[i])
	}
	if !fits {
		return nil, fmt.Errorf("array %q is %s %v: F32 %v is wanted (-1: any)", name, t.dtype, t.shape, shape)
	}
	out := make([]float32, len(t.data)/4)
	for i := range out {
		x := math.Float32frombits(binary.LittleEndian.Uint32(t.data[4*i:]))
		if x-x != 0 { // NaN or infinite
			return nil, fmt.Errorf("array %q: number %d is not finite", name, i)
		}
		out[i] = x
	}
	return out, nil
}
