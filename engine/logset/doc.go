// Package logset opens a rotated log, app.log and app.log.1 and app.log.2.gz and
// so on, as one file: every selection of a [engine.File], with line numbers
// across all of them, the oldest line being the first.
//
//	set, err := logset.Open(ctx, "app.log", nil)
//	defer set.Close()
//	last, err := set.Tail(ctx, 100)
//	for _, m := range set.Members() { … } // what is wrong with it
//
// # Names
//
// The files are found by the names that logrotate gives: app.log.1, app.log.2.gz
// (numbers from 1, or from 0 on), app.log-20261130, app.log-20261130.zst, and
// other dates that begin with the year, with an hour or a time behind it, or
// seconds since 1970; also before the extension: app.1.log, app-20261130.log.
// Compressed files are those that package compressed reads.
//
// # While it is rotated
//
// A set can be opened while logrotate is at work, with delaycompress, with
// copytruncate, and without: no line is read twice, and none is missing that was
// there before. What holds the same is found by its content: a file that is just
// being compressed, under its number or the next, and the copy of a live file
// that is not cut short yet, are read once. What is opened is what is read,
// whatever becomes of the names.
//
// When copytruncate cuts the live file short while a set is open, operations
// that need it give [engine.ErrTruncated]: open the set again. What a program
// writes between the copy and the cut is lost by logrotate, and nobody can tell.
//
// # Caveats
//
// A file that holds nothing but what the live file begins with is taken for a
// copy of it, and [Set.Members] says so. That can be wrong of a log of which each
// file begins with the same lines, if there is nothing else in one. So can it be
// of a compressed file that holds just what the next one holds, if it was not
// modified before that, as after a copy that keeps no times.
//
// Which dates there should be is not known: only a missing number is missed. Nor
// is what was removed since there were enough files. All files are in one folder:
// those that the directive olddir has moved are not found.
//
// # Cost
//
// Opening costs some system calls for each file. A tail decodes no compressed
// file that is older than it must. To count the lines, as the line numbers of a
// tail need it, all of them are decoded once, several at a time. From then on it
// is known where the lines are: that is kept in the sidecar of each file.
//
// Of the compressed files, those that are being read keep in memory what they
// have decoded, some 16 MiB each, three of them at most; of the others there is
// what is needed to begin again inside them, some 1 % of a .gz. Each file of the set is open, so that the limit of open
// files may have to be raised for thousands of them.
package logset
