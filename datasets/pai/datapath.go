package pai

import (
	"fmt"
	"os"

	"memobench/datasets"
)

// The environment variables that name the data when the user gives no path.
const (
	EnvEmbeddings = "MEMOBENCH_EMBEDDINGS" // of pai3-npy to pai5-npy
	EnvReleased   = "MEMOBENCH_PAI"        // of pai3-released and pai4-released
)

const howToNpy = `give with --data DIR or in $` + EnvEmbeddings + ` a directory of .npy files: train.npy [items x features] and
train_classes.npy [items], the same for validation and test, or embeddings.npy and classes.npy, which are divided`

const howToReleased = `give with --data DIR or in $` + EnvReleased + ` the released files of MEMO (deepmind-research/memo says where they are):
a directory with the folders train, valid and test, or one above it with length3 and length4`

// dataPath returns the directory that the user named.
func dataPath(opts datasets.Options, env, howTo string) (string, error) {
	path, from := opts.DataPath, "the data path given"
	if path == "" {
		path, from = os.Getenv(env), "$"+env
	}
	if path == "" {
		return "", fmt.Errorf("no data given: %s", howTo)
	}
	if info, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("%s: %w; %s", from, err, howTo)
	} else if !info.IsDir() {
		return "", fmt.Errorf("%s: %s is not a directory; %s", from, path, howTo)
	}
	return path, nil
}
