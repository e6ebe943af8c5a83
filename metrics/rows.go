package metrics

import (
	"math"

	"enterprisedocbench"
)

// row is a measurement with a value.
func row(key string, value float64) edb.Measurement {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return none(key, "the value is not a number")
	}
	return edb.Measurement{Key: key, Value: &value, Def: Def(key)}
}

// none is a measurement without one.
func none(key, reason string) edb.Measurement {
	return edb.Measurement{Key: key, Reason: reason, Def: Def(key)}
}

// failed is a measurement of a unit whose stage failed: the strict figure takes the worst value.
func failed(key, reason string) edb.Measurement {
	return edb.Measurement{Key: key, Failed: true, Reason: reason, Def: Def(key)}
}
