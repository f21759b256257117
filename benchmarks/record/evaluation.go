package record

import (
	"cmp"
	"strconv"
)

// Evaluation is the result of a run: counts on one split.
type Evaluation struct {
	Split string `json:"split" doc:"split that was evaluated: train, validation or test"`
	Kinds []Kind `json:"kinds" doc:"counts per kind of question, in the task's order"`

	Loss *float64 `json:"loss,omitempty" doc:"mean cross entropy over the questions and their answers, nats; absent after a divergence"`
	Hops *float64 `json:"hops,omitempty" doc:"mean number of hops for an answer; absent for a model without hops"`

	// AnswerHops is nil for tasks that ask for one answer.
	AnswerHops []float64 `json:"answer_hops,omitempty" doc:"mean number of hops for each answer, in order; absent where one is asked for, and for a model without hops"`
}

// Kind holds the counts behind the accuracy on one kind of question.
type Kind struct {
	Name    string `json:"name" doc:"kind of question (A-C) or task (qa1)"`
	Total   int    `json:"total" doc:"questions asked"`
	Correct int    `json:"correct" doc:"questions answered right, the answer chosen among all answers of the task; where several are asked for, all of them right"`

	// ChoiceCorrect is nil for tasks whose questions offer no choices.
	ChoiceCorrect *int `json:"choice_correct,omitempty" doc:"questions answered right when the answer is chosen among those that the question offers; absent where none are offered"`

	// Accepted is nil where only the target is right.
	Accepted *int `json:"accepted,omitempty" doc:"questions with answers that are right as a whole, though others may have been drawn as the target; absent where only the target is right"`

	// Hops is nil for a model without hops, and in records made before it was counted.
	Hops *int `json:"hops,omitempty" doc:"hops taken for all answers to the kind's questions together; absent for a model without hops, where no questions were asked, and in records made before it was counted"`

	// Answers is nil for tasks that ask for one answer.
	Answers []Answer `json:"answers,omitempty" doc:"counts per answer, in the order in which they are asked for; absent where one is asked for"`
}

// Count counts a question and its answers, as far as the kind has their counts.
func (k *Kind) Count(p *Prediction) {
	k.Total++
	if p.Right() {
		k.Correct++
	}
	if k.ChoiceCorrect != nil && p.Choice != nil && *p.Choice == p.Target[0] {
		*k.ChoiceCorrect++
	}
	if k.Accepted != nil && p.Accepted != nil && *p.Accepted {
		*k.Accepted++
	}
	for a := range k.Answers {
		if p.Answer[a] == p.Target[a] {
			k.Answers[a].Correct++
		}
	}
}

// PerCent returns the share of right answers in per cent, NaN without questions.
func (k *Kind) PerCent() float64 { return 100 * float64(k.Correct) / float64(k.Total) }

// Answer holds the counts behind the accuracy on one of several answers to a question.
// Except for the first, the query may hold the previous answer.
type Answer struct {
	Name    string `json:"name" doc:"which answer, such as node 1"`
	Correct int    `json:"correct" doc:"questions with this answer right, asked for with the model's own answers before it"`

	// CorrectGiven counts right answers with teacher forcing. It is nil for the first
	// answer, and for models without teacher forcing.
	CorrectGiven *int `json:"correct_given,omitempty" doc:"questions with this answer right, asked for with the right answers before it; absent for the first answer and for models that cannot be asked so"`

	// Accepted is nil where only the target is right.
	Accepted *int `json:"accepted,omitempty" doc:"questions with an answer that is at this place of some right list of answers; absent where only the target is right"`
}

// AnswerNames returns the names of a question's answers; nil for a single answer.
func (e *Evaluation) AnswerNames() (names []string) {
	if len(e.Kinds) > 0 {
		for _, a := range e.Kinds[0].Answers {
			names = append(names, a.Name)
		}
	}
	return names
}

func (k *Kind) meanHops() *float64 {
	if k.Hops == nil || k.Total == 0 {
		return nil
	}
	return new(float64(*k.Hops) / float64(k.Total*max(1, len(k.Answers))))
}

// perCent returns 100 x count / total of one kind, or the unweighted mean over
// the kinds that have questions; false where the count is nil.
func (e *Evaluation) perCent(kind int, count func(*Kind) *int) (float64, bool) {
	sum, kinds := 0.0, 0
	for i := range e.Kinds {
		k := &e.Kinds[i]
		if n := count(k); n != nil && k.Total > 0 && (kind == AllKinds || kind == i) {
			sum += 100 * float64(*n) / float64(k.Total)
			kinds++
		}
	}
	return sum / float64(max(1, kinds)), kinds > 0
}

// Shift is the setting of the task in which the questions of an evaluation of stored
// weights differ from those of training. A record with a shift is used only in tables and
// figures of generalization. Its protocol is that of training; its dataset is that of the
// questions.
type Shift struct {
	Setting   string `json:"setting" doc:"setting of the task"`
	Trained   string `json:"trained" doc:"its value in training"`
	Evaluated string `json:"evaluated" doc:"its value in the questions; at the reference point that of training"`
	PerKind   int    `json:"per_kind" doc:"questions asked of each kind at most; 0 for all of finite data"`

	OtherData bool `json:"other_data,omitempty" doc:"true where the questions are also of other data than the training, such as simulated stories instead of files"`

	// Hops is nil where predictions took as many as in training.
	Hops *HopsShift `json:"hops,omitempty" doc:"number of hops in the evaluation; absent where it is that of training"`

	Rows       float64  `json:"rows" doc:"mean number of memory rows of a question"`
	Operations *float64 `json:"operations,omitempty" doc:"mean number of floating-point operations of the answer to a question asked alone, counted on a few questions of each kind; absent for a model that does not count them"`
	Extended   []string `json:"extended,omitempty" doc:"weights that were extended to more memory rows than in training"`
}

// HopsShift is a number of hops, or of recurrent or pondering steps, that differs from
// that of training.
type HopsShift struct {
	Setting   string `json:"setting" doc:"setting of the model, such as hops or recurrent_steps"`
	Trained   int    `json:"trained" doc:"its value in training"`
	Evaluated int    `json:"evaluated" doc:"its value in the evaluation"`
}

// Compare orders shifts by setting, evaluated value and hops; nil is first.
func (s *Shift) Compare(other *Shift) int {
	key := func(s *Shift) (setting string, value float64, text string, hops int) {
		if s == nil {
			return "", 0, "", 0
		}
		if s.Hops != nil {
			hops = s.Hops.Evaluated
		}
		value, _ = strconv.ParseFloat(s.Evaluated, 64) // 0 for a text
		return s.Setting, value, s.Evaluated, hops
	}
	setting, value, text, hops := key(s)
	setting2, value2, text2, hops2 := key(other)
	return cmp.Or(cmp.Compare(setting, setting2), cmp.Compare(value, value2), cmp.Compare(text, text2), cmp.Compare(hops, hops2))
}
