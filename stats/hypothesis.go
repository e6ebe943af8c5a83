package stats

// Test is the result of a test of a hypothesis. P is two-sided unless Method says otherwise. Where a
// statistic or a P cannot be given it is nil and Reason says why.
type Test struct {
	Name       string
	Statistic  *float64
	P          *float64
	DF         []float64 // degrees of freedom, for statistics that have them
	N          int       // units
	Method     string    // how P was made
	Reason     string    // why there is no statistic or no P
	Warnings   []string
	Effect     *float64 // size of the effect
	EffectName string   // its name: "Cohen's dz", "epsilon squared", "Kendall's W"
}
