// Package page writes a report as one HTML file.
//
// What comes in: a document.Document. What goes out: a page that holds all it
// shows: style, figures as inline SVG, the runs behind each number as a tooltip
// and in a fold. What always holds: it loads nothing, runs no script, keeps to the
// width of a phone, and follows the reader's choice of light or dark.
package page
