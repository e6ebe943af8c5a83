package metrics

import "enterprisedocbench"

type rowT = edb.Measurement
