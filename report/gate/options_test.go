package gate

import "testing"

func TestSettings(t *testing.T) {
	o := Defaults()
	for _, bad := range []string{"accuracy", "=1", "accuracy=", "accuracy=-1", "accuracy=NaN", "accuracy=x", "accuracy=1%%"} {
		if o.SetMargin(bad) == nil {
			t.Errorf("margin %q is taken", bad)
		}
	}
	for _, bad := range []string{"accuracy", "accuracy=worst", "accuracy=worst--1", "accuracy=Inf"} {
		if o.SetFloor(bad) == nil {
			t.Errorf("floor %q is taken", bad)
		}
	}
	for unit := range o.Margins {
		if err := o.SetMargin(unit + "=off"); err != nil {
			t.Fatal(err)
		}
	}
	if err := o.Validate(); err == nil {
		t.Error("a gate that judges nothing is taken")
	}
	for _, change := range []func(o *Options){func(o *Options) { o.Alpha = 0 }, func(o *Options) { o.Alpha = 0.7 }, func(o *Options) { o.Power = 1 }} {
		o := Defaults()
		change(&o)
		if o.Validate() == nil {
			t.Errorf("%+v is taken", o)
		}
	}
}

func TestAMarginOfAUnitThatNoResultHasIsRefused(t *testing.T) {
	a := set(t, bench("A-C", "accuracy", 90, 91, 92))
	for _, c := range []struct {
		set  func(o *Options, text string) error
		text string
		bad  bool
	}{
		{(*Options).SetMargin, "acuracy=1", true},
		{(*Options).SetFloor, "acuracy=80", true},
		{(*Options).SetMargin, "acuracy=off", true},
		{(*Options).SetMargin, "accuracy=2", false},
		{(*Options).SetMargin, "nats=10%", false}, // a unit of records, if not of these
	} {
		o := Defaults()
		if err := c.set(&o, c.text); err != nil {
			t.Fatal(err)
		}
		if _, err := Check(a, a, o); (err != nil) != c.bad {
			t.Errorf("%s: %v", c.text, err)
		}
	}
}
