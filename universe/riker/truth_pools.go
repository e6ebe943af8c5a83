package riker

// occurring marks the members of the pools that a document of the world speaks of. It holds a bit for
// each member that can be, no records.
type occurring struct {
	territories, agents, customers, lessors, products, deals bitset
}

type bitset []uint64

func (b *bitset) set(i int) {
	for i>>6 >= len(*b) {
		*b = append(*b, make([]uint64, len(*b)+8)...)
	}
	(*b)[i>>6] |= 1 << (i & 63)
}

// all calls yield for the members in order.
func (b bitset) all(yield func(int) bool) {
	for i, word := range b {
		for j := range 64 {
			if word>>j&1 == 1 && !yield(i<<6|j) {
				return
			}
		}
	}
}

// occur marks who and what occurs. A deal occurs where a report, lease or invoice tells of it, or where a
// review counts it; its agent, customer and products occur with it.
func (w *World) occur(yield func(done int) bool) *occurring {
	o := &occurring{}
	c := w.Counts
	for d := range w.deals {
		if d%4096 == 0 && !yield(d) {
			return nil
		}
		if !w.dealOccurs(d) {
			continue
		}
		o.deals.set(d)
		x := w.Deal(d)
		o.agents.set(x.AgentN)
		o.customers.set(x.CustomerN)
		for _, l := range x.Lines {
			o.products.set(productN(l.Product))
		}
	}
	for n := range c[Leases] {
		o.lessors.set(w.dealt("lessor", lessorShares, leaseBlock, n))
	}
	for a := range min(w.agents, c[Reviews]) {
		o.agents.set(a)
	}
	for n := range min(w.companies, c[Statements]) {
		o.customers.set(n)
	}
	for t := range min(w.territories, c[Handbooks]) {
		o.territories.set(t)
	}
	for a := range o.agents.all {
		o.territories.set(w.pick("agent-territory", a, w.territories))
	}
	return o
}

func productN(p Product) int {
	for i, n := range productNames {
		if n == p.Name {
			return i
		}
	}
	panic("riker: no product is called " + p.Name)
}

// dealOccurs says whether a document tells of deal d.
func (w *World) dealOccurs(d int) bool {
	if d < w.Counts[Reports] || d < w.leaseDeals {
		return true
	}
	if w.stageOf(d) != Won {
		return false
	}
	e := d - w.leaseDeals
	if w.leaseDeals+e/dealBlock*stageShares[Won]+w.stages(e/dealBlock).At(e%dealBlock) < w.Counts[Invoices] {
		return true
	}
	x := w.Deal(d)
	half := 2*x.Closed.Year() + (int(x.Closed.Time().Month())-1)/6
	n := x.AgentN + w.agents*(2*2025+1-half)
	return half <= 2*2025+1 && n < w.Counts[Reviews]
}

// poolRows calls add with the rows of the pools, table by table and in the order of their keys.
func (w *World) poolRows(o *occurring, add func(...row)) {
	for t := range o.territories.all {
		x := w.Territory(t)
		add(row{"territories", []any{x.ID, x.Name, x.Manager}})
	}
	for a := range o.agents.all {
		add(w.agentRows(a)...)
	}
	for c := range o.customers.all {
		add(w.customerRow(c))
	}
	for l := range o.lessors.all {
		add(w.lessorRow(l))
	}
	for p := range o.products.all {
		x := w.Product(p)
		add(row{"products", []any{x.ID, x.Name, x.Price}})
	}
	for d := range o.deals.all {
		add(w.dealRows(d)...)
	}
}
