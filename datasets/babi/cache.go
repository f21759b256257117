package babi

import (
	"os"
	"path/filepath"
)

// ArchiveName is the name of the official archive, version 1.2.
const ArchiveName = "tasks_1-20_v1-2.tar.gz"

// CacheDir returns the directory in which the archive is looked for when no path
// is given: memobench below the user's directory for cached data. It fails where
// the system names none.
func CacheDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "memobench"), nil
}

// candidates lists the paths that are looked at when none is given, relative to
// root but for the cache.
func candidates(root string) []string {
	var paths []string
	for _, p := range defaultPaths {
		paths = append(paths, filepath.Join(root, p))
	}
	if dir, err := CacheDir(); err == nil {
		paths = append(paths, filepath.Join(dir, ArchiveName))
	}
	return paths
}
