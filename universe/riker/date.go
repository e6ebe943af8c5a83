package riker

import (
	"strconv"
	"time"
)

// Date is a day, without a clock; the zero Date is no day.
type Date struct{ t time.Time }

// NewDate is a day of the calendar.
func NewDate(y, m, d int) Date { return Date{time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)} }

// IsZero says that the date is no day.
func (d Date) IsZero() bool { return d.t.IsZero() }

// Before and After compare days.
func (d Date) Before(o Date) bool { return d.t.Before(o.t) }

// After is the inverse of Before, days alike excluded.
func (d Date) After(o Date) bool { return d.t.After(o.t) }

// AddDays and AddMonths move along the calendar. Months are exact for days up to the 28th.
func (d Date) AddDays(n int) Date { return Date{d.t.AddDate(0, 0, n)} }

// AddMonths moves by whole months.
func (d Date) AddMonths(n int) Date { return Date{d.t.AddDate(0, n, 0)} }

// Year is the calendar year.
func (d Date) Year() int { return d.t.Year() }

// Time is the start of the day in UTC.
func (d Date) Time() time.Time { return d.t }

// ISO is the date as answers and truth.sqlite hold it: 2024-03-01.
func (d Date) ISO() string { return d.t.Format(time.DateOnly) }

// In is the date as documents of a style print it: March 1, 2024; 1 March 2024; Mar 1, 2024.
func (d Date) In(s Style) string {
	return d.t.Format([...]string{"January 2, 2006", "2 January 2006", "Jan 2, 2006"}[s])
}

// Half is a half-year: 2*year for the first, 2*year+1 for the second.
type Half int

// String is the half-year as documents print it: H2 2025.
func (h Half) String() string { return "H" + strconv.Itoa(int(h)%2+1) + " " + strconv.Itoa(int(h)/2) }

// First and Last are the days that bound it.
func (h Half) First() Date { return NewDate(int(h)/2, int(h)%2*6+1, 1) }

// Last is the last day of the half-year.
func (h Half) Last() Date { return h.First().AddMonths(6).AddDays(-1) }

// Quarter is a quarter: 4*year plus 0 to 3.
type Quarter int

// String is the quarter as documents print it: Q3 2025.
func (q Quarter) String() string {
	return "Q" + strconv.Itoa(int(q)%4+1) + " " + strconv.Itoa(int(q)/4)
}

// First is the first day of the quarter.
func (q Quarter) First() Date { return NewDate(int(q)/4, int(q)%4*3+1, 1) }

// Last is the last day of the quarter.
func (q Quarter) Last() Date { return q.First().AddMonths(3).AddDays(-1) }
