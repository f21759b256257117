// Package fetch downloads one file over HTTP or HTTPS.
//
// What comes in: a URL, a path, and what is known of the file. What goes out: the
// file at that path, with its SHA-256. What always holds:
//
//   - The path holds the whole file or nothing. What has come so far lies beside
//     it, as path.partial, and path.partial.json says of which version it is.
//   - A broken download goes on where it broke, in this process or a later one,
//     when the server says that it is still the same version (RFC 9110: Range
//     with If-Range); else it starts again.
//   - A file is taken when its length is what the server said, its SHA-256 what
//     the caller knows, and the caller's own check passes. What fails is removed,
//     so that nothing is ever resumed from it.
//   - No more is read than the limit.
package fetch
