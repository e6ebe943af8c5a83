package index

import (
	"math"
	"slices"
)

// orthonormal makes the k columns of y (rows x k) orthonormal by two rounds of modified
// Gram-Schmidt in float64; a column that depends on the ones before becomes zeros.
func orthonormal(y []float32, k int) {
	rows := len(y) / k
	cols := make([][]float64, k)
	for c := range cols {
		v := make([]float64, rows)
		for r := range v {
			v[r] = float64(y[r*k+c])
		}
		before := length(v)
		for range 2 {
			for _, u := range cols[:c] {
				d := dot(u, v)
				if d == 0 {
					continue
				}
				for r := range v {
					v[r] -= float64(d * u[r])
				}
			}
		}
		n := length(v)
		for r := range v {
			if n > 1e-6*before {
				v[r] /= n
			} else {
				v[r] = 0
			}
		}
		cols[c] = v
	}
	for c, v := range cols {
		for r := range v {
			y[r*k+c] = float32(v[r])
		}
	}
}

func dot(a, b []float64) float64 {
	var s, t, u, v float64
	b = b[:len(a)]
	for len(a) >= 4 && len(b) >= 4 {
		s += float64(a[0] * b[0])
		t += float64(a[1] * b[1])
		u += float64(a[2] * b[2])
		v += float64(a[3] * b[3])
		a, b = a[4:], b[4:]
	}
	for i := range a {
		s += float64(a[i] * b[i])
	}
	return (s + t) + (u + v)
}

func length(a []float64) float64 { return math.Sqrt(dot(a, a)) }

// eigen is the eigenvectors of the symmetric matrix s (k x k, destroyed) as columns, by Jacobi's
// rotations, and their order by eigenvalue, largest first.
func eigen(s []float64, k int) (vectors []float64, order []int) {
	v := make([]float64, k*k)
	for i := range k {
		v[i*k+i] = 1
	}
	for range 30 {
		var off, diag float64
		for i := range k {
			diag += s[i*k+i] * s[i*k+i]
			for j := i + 1; j < k; j++ {
				off += s[i*k+j] * s[i*k+j]
			}
		}
		if off <= 1e-24*diag {
			break
		}
		for p := range k {
			for q := p + 1; q < k; q++ {
				rotate(s, v, k, p, q)
			}
		}
	}
	order = make([]int, k)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case s[a*k+a] > s[b*k+b]:
			return -1
		case s[a*k+a] < s[b*k+b]:
			return 1
		}
		return 0
	})
	return v, order
}

// rotate makes s[p][q] zero.
func rotate(s, v []float64, k, p, q int) {
	pq := s[p*k+q]
	if math.Abs(pq) <= 1e-18*(math.Abs(s[p*k+p])+math.Abs(s[q*k+q])) {
		return
	}
	theta := (s[q*k+q] - s[p*k+p]) / (2 * pq)
	t := 1 / (math.Abs(theta) + math.Sqrt(float64(theta*theta)+1))
	if theta < 0 {
		t = -t
	}
	c := 1 / math.Sqrt(float64(t*t)+1)
	n := float64(t * c)
	for i := range k {
		a, b := s[i*k+p], s[i*k+q]
		s[i*k+p], s[i*k+q] = float64(c*a)-float64(n*b), float64(n*a)+float64(c*b)
	}
	for i := range k {
		a, b := s[p*k+i], s[q*k+i]
		s[p*k+i], s[q*k+i] = float64(c*a)-float64(n*b), float64(n*a)+float64(c*b)
		a, b = v[i*k+p], v[i*k+q]
		v[i*k+p], v[i*k+q] = float64(c*a)-float64(n*b), float64(n*a)+float64(c*b)
	}
}
