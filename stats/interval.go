package stats

// Interval is an estimate with bounds. Value is nil where nothing can be estimated, Lo and Hi where
// no interval can be given; Reason then says why.
type Interval struct {
	Value, Lo, Hi *float64
	Level         float64  // 0.95
	N             int      // units
	Method        string   // how the bounds were made
	Reason        string   // why there is no value, or no interval
	Warnings      []string // what a reader must know before trusting the bounds
}

// Options of the bootstrap. The zero value means seed 0, 10,000 replicates, level 0.95.
type Options struct {
	Seed       uint64
	Replicates int
	Level      float64
}

func (o Options) replicates() int {
	if o.Replicates <= 0 {
		return 10000
	}
	return o.Replicates
}

func (o Options) level() float64 {
	if o.Level <= 0 || o.Level >= 1 {
		return 0.95
	}
	return o.Level
}

// minUnits is the least number of units for which an interval is given.
const minUnits = 10

// minClusters and maxShare bound where resampling whole clusters is trusted: with fewer clusters, or
// one that holds a larger share of the units, the two-way bootstrap is used.
const (
	minClusters = 10
	maxShare    = 0.20
)

func ptr(x float64) *float64 { return &x }
