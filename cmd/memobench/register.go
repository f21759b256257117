package main

// The models and tasks that the program knows. Another one is one line here.
import (
	_ "memobench/datasets/babi"
	_ "memobench/datasets/pai"
	_ "memobench/datasets/shortestpath"
	_ "memobench/models/control"
	_ "memobench/models/dnc"
	_ "memobench/models/emn"
	_ "memobench/models/memo"
	_ "memobench/models/ut"
)
