package vec

import "math"

const maxFloat32 = math.MaxFloat32

func sqrt32(s float64) float32 { return float32(math.Sqrt(s)) }
