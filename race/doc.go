// Package race holds two players who solve one deal against one clock, the
// server's. Here are the rules: what a race is, which acts it takes in which
// state, and what its deadlines do. They are functions of values and of a time
// that is handed in.
//
// It refuses every act that the table below has no place for, with a
// *StateError that says where the race is and what its player may do instead,
// and then nothing has changed. It takes no result from a client: the caller
// has verified the log that comes with an act.
//
// The promise: a race that is over has one outcome, which never changes, and
// every change of a race is an event with a version of its own.
//
// # The race
//
// An open race becomes a countdown of 5 seconds when both entrants are ready.
// It is cancelled when its creator leaves or 30 minutes after it was made. When
// the other leaves, the seat is free.
//
// In the countdown a race is open again, and everybody left in it is joined,
// when somebody unreadies or the other leaves; it is cancelled instead when the
// creator leaves, or when the 30 minutes have passed meanwhile. The next
// countdown is a full one. When it ends the race is running and the seed
// public.
//
// A running race is finished when no entrant is racing any more, or when its
// time ends; whoever is still racing then is out of time. Nobody can leave it
// and nobody can claim it.
//
// A finished or cancelled race changes no more, except that a finished one
// takes offers of a rematch and is told the code of the race that follows it.
//
// # The entrant
//
// An entrant has joined, then is ready, and is racing from the start of the
// race. From there they finish, with any log and for good; or forfeit, which
// they can withdraw until the race is finished; or are beaten by the other's
// first win, or out of time.
//
// # Acts
//
// An act that repeats what its player has done changes nothing and is no error,
// since the answer to the first may have been lost: joining one's own race,
// being ready when ready, finishing with the log that one has finished with.
package race
