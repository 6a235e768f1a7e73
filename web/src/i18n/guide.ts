import { messages } from './index.svelte'

/** The page of rules. What a variant changes is in rules.ts, from its columns of the rule table. */
export const guide = messages(
  {
    title: 'Rules',
    intro:
      'Cruel is a patience with nothing hidden: all cards lie face up, and nothing is left to luck once they lie. Everybody gets the same deal each day, it can be won, and the fewest moves win.',
    contents: 'On this page',

    game: 'The game',
    deal: 'The four Aces are the foundations. The other 48 cards make twelve piles of four, all face up, named a to l. The last card of a pile is its top card.',
    goal: 'The goal: all 52 cards on the foundations, each in its suit from the Ace up to the King.',
    toFoundation: 'A top card may go to its foundation if it is the next of its suit.',
    toPile: 'Or it may go onto another pile, if the card there is exactly one higher and of the same suit.',
    oneCard: 'One card moves at a time, and nothing is ever put onto an empty pile.',
    pictureBuild: 'The 6♥ is a top card, and so is the 7♥: the 6 may go onto the 7.',

    redeal: 'The redeal',
    redealWhat:
      'This is the heart of the game. The piles are picked up in their order, from a to l, each from its bottom card to its top card, into one line. The line is dealt out again by fours: the first four cards are pile a, the next four pile b, and so on. Nothing is shuffled.',
    redealThink:
      'So a redeal can be foreseen. All full piles before the first one that isn’t full stay as they are; behind it every card moves up, and other cards come to lie on top. “Preview” shows what a redeal would bring.',
    redealWhen:
      'One may redeal at any time and as often as one likes, also while cards can be moved. Some variants limit that.',
    before: 'Before',
    after: 'After',
    pictureRedeal:
      'Two cards are gone from pile a, one from pile b. The redeal fills pile a with the bottom of pile b, and pile b with what follows.',

    counting: 'Counting',
    countMove: 'Every move counts one: a card to its foundation, a card onto a pile, and a redeal, too.',
    countUndo:
      'Undo is not a move. What is taken back is gone from the log, and the counter shows just the moves that remain. Undo and redo are free and without limit.',
    countBest:
      'A win is better than anything else, and of two wins the one with fewer moves. Without a win the cards on the foundations count, then the moves. Equal results share a rank.',
    countLeast: 'No win takes fewer than 48 moves: so many cards have to go home.',
    par: 'Par is the least number of moves that is known for a deal. Where it says “proven”, a search has shown that nothing shorter wins; “best known” may still be beaten.',
    end: 'A game is stuck when no card can be moved and no number of redeals changes that. An unfinished or stuck game can be handed in as well.',
    day: 'A day begins and ends at midnight UTC. What arrives within ten minutes after it still counts.',

    variants: 'Variants',
    variantsSay: 'Nine games by one set of rules. Each has its own deal and its own board every day.',
    playToday: (name: string) => `Play today’s ${name}`,

    notation: 'Notation',
    notationSays:
      'A game is written down as its moves, with spaces between them: its log. Piles are small letters, foundations the capital letters of their suits: C clubs, D diamonds, H hearts, S spades. The same tokens can be typed to play.',
    token: 'Written',
    meaning: 'Meaning',
    tokenPlay: 'the top card of pile c goes to the hearts foundation',
    tokenBuild: 'the top card of pile a goes onto pile b',
    tokenRun: 'the four top cards of pile a go onto pile b as a run, where the variant has runs',
    tokenReturn: 'the top card of the spades foundation goes back onto pile d, where the variant allows it',
    tokenRedeal: 'redeal',

    fair: 'Fair play',
    fairLog:
      'Nobody hands in a score. What is sent is the log, and the server plays it again move by move. The number of moves on a board is the number in a game that was replayed.',
    fairSeed:
      'All cards follow from a seed, a short text. Days before, the server publishes a hash of it: a fingerprint that fits no other seed and gives none away. After the day anybody can see that the seed was fixed beforehand.',
    fairWin:
      'Each daily deal can be won. The server has found a win before it takes a deal, and looks for the shortest one.',
    fairRows:
      'Every row can be checked in the browser: once a day is over, “Check” on its board replays that game on your own device, by these rules. While it is open, the games of others are sealed, so that nobody can copy them.',
    fairDay:
      'A whole day is checked, without believing the server anything, by the program that also is the server:',
    fairLimits:
      'What can’t be shown: whoever runs a server knows its seeds beforehand, and no board can tell a person from a program that searches.',
    commitments: 'The published hashes',

    races: 'Races',
    racesWhat:
      'Two players, the same deal, the server’s clock. Nobody sees the cards before the start; both see how many cards the other has home, not how.',
    racesGoals:
      '“Fewest moves”: when both have finished, the better result wins; of two equal wins the earlier one. “First win”: the first win ends the race.',
    racesEnd:
      'When the time is up, the last position counts. Giving up can be taken back while the race is on. Nobody wins because the other has gone: the clock decides.',
    racesRated:
      'A race counts for ratings if both have an account with a password and the server drew the deal. Afterwards both games are open to all.',

    privacy: 'What is stored',
    privacyServer:
      'On the server: your name, a hash of your password if you set one, and the games that you hand in, with their times. No mail address, nothing about your device, no third party.',
    privacyDevice:
      'On your device: your settings, your name, your games and results, the latest deals, and one cookie that keeps you logged in and is for nothing else.',
    privacyDelete: 'An account can be deleted at any time. Its results stay on the boards without a name.',
  },
  {
    title: 'Regeln',
    intro:
      'Cruel ist eine Patience, in der nichts verborgen ist: Alle Karten liegen offen, und sobald sie liegen, entscheidet kein Glück mehr. Alle bekommen jeden Tag dieselbe Auslage, sie ist lösbar, und die wenigsten Züge gewinnen.',
    contents: 'Auf dieser Seite',

    game: 'Das Spiel',
    deal: 'Die vier Asse sind die Ablagen. Die übrigen 48 Karten bilden zwölf offene Stapel zu vier Karten, a bis l genannt. Die letzte Karte eines Stapels ist seine oberste.',
    goal: 'Das Ziel: alle 52 Karten auf den Ablagen, jede in ihrer Farbe vom Ass bis zum König.',
    toFoundation: 'Eine oberste Karte darf auf ihre Ablage, wenn sie dort die nächste ist.',
    toPile:
      'Oder sie darf auf einen anderen Stapel, wenn die Karte dort genau eins höher und von derselben Farbe ist.',
    oneCard: 'Es zieht immer nur eine Karte, und auf einen leeren Stapel kommt nichts.',
    pictureBuild: 'Die 6♥ liegt obenauf, die 7♥ auch: Die 6 darf auf die 7.',

    redeal: 'Neu auslegen',
    redealWhat:
      'Das ist der Kern des Spiels. Die Stapel werden der Reihe nach aufgenommen, von a bis l, jeder von der untersten bis zur obersten Karte, zu einer einzigen Reihe. Diese Reihe wird zu je vier wieder ausgelegt: Die ersten vier Karten sind Stapel a, die nächsten vier Stapel b und so weiter. Gemischt wird nicht.',
    redealThink:
      'Eine Neuauslage lässt sich also voraussehen. Alle vollen Stapel vor dem ersten, der nicht voll ist, bleiben, wie sie sind; dahinter rückt jede Karte auf, und andere Karten liegen obenauf. Die „Vorschau“ zeigt, was eine Neuauslage brächte.',
    redealWhen:
      'Neu ausgelegt werden darf jederzeit und beliebig oft, auch wenn noch Karten ziehen können. Manche Varianten beschränken das.',
    before: 'Vorher',
    after: 'Nachher',
    pictureRedeal:
      'Von Stapel a sind zwei Karten weg, von Stapel b ist es eine. Die Neuauslage füllt Stapel a mit dem unteren Teil von b, und b mit dem, was folgt.',

    counting: 'Zählen',
    countMove:
      'Jeder Zug zählt eins: eine Karte auf die Ablage, eine Karte auf einen Stapel und auch eine Neuauslage.',
    countUndo:
      'Zurücknehmen ist kein Zug. Was zurückgenommen ist, steht nicht mehr im Verlauf, und der Zähler zeigt genau die Züge, die bleiben. Zurück und Vor sind frei und unbegrenzt.',
    countBest:
      'Ein Sieg ist besser als alles andere, und von zwei Siegen der mit weniger Zügen. Ohne Sieg zählen die abgelegten Karten, dann die Züge. Gleiche Ergebnisse teilen sich einen Platz.',
    countLeast: 'Kein Sieg braucht weniger als 48 Züge: So viele Karten müssen auf die Ablagen.',
    par: 'Par ist die kleinste Zahl von Zügen, die für eine Auslage bekannt ist. Steht dort „bewiesen“, hat eine Suche gezeigt, dass es kürzer nicht geht; „bisher bestes“ lässt sich vielleicht noch schlagen.',
    end: 'Ein Spiel ist festgefahren, wenn sich keine Karte bewegen lässt und auch Neuauslagen daran nichts ändern. Auch ein unfertiges oder festgefahrenes Spiel kann abgegeben werden.',
    day: 'Ein Tag beginnt und endet um Mitternacht UTC. Was bis zehn Minuten danach ankommt, zählt noch.',

    variants: 'Varianten',
    variantsSay: 'Neun Spiele nach einem Regelwerk. Jedes hat jeden Tag seine eigene Aufgabe und Rangliste.',
    playToday: (name: string) => `${name} von heute spielen`,

    notation: 'Schreibweise',
    notationSays:
      'Ein Spiel wird als Folge seiner Züge aufgeschrieben, mit Leerzeichen dazwischen: als Verlauf. Stapel sind kleine Buchstaben, Ablagen die großen (englischen) ihrer Farbe: C Kreuz, D Karo, H Herz, S Pik. Mit denselben Zeichen lässt sich auch spielen.',
    token: 'Geschrieben',
    meaning: 'Bedeutung',
    tokenPlay: 'die oberste Karte von Stapel c auf die Herz-Ablage',
    tokenBuild: 'die oberste Karte von Stapel a auf Stapel b',
    tokenRun: 'die vier obersten Karten von Stapel a als Folge auf Stapel b, wo die Variante Folgen kennt',
    tokenReturn: 'die oberste Karte der Pik-Ablage zurück auf Stapel d, wo die Variante es erlaubt',
    tokenRedeal: 'neu auslegen',

    fair: 'Ehrliches Spiel',
    fairLog:
      'Niemand gibt eine Punktzahl ab. Geschickt wird der Verlauf, und der Server spielt ihn Zug für Zug nach. Die Zahl auf der Rangliste ist die eines nachgespielten Spiels.',
    fairSeed:
      'Alle Karten folgen aus einem Startwert, einem kurzen Text. Tage vorher veröffentlicht der Server dessen Hash: einen Fingerabdruck, der zu keinem anderen passt und nichts verrät. Nach dem Tag kann jeder sehen, dass der Startwert vorher feststand.',
    fairWin:
      'Jede Tagesaufgabe ist lösbar. Der Server hat eine Lösung gefunden, bevor er eine Auslage nimmt, und sucht die kürzeste.',
    fairRows:
      'Jede Zeile lässt sich im Browser prüfen: Ist ein Tag vorbei, spielt „Prüfen“ auf seiner Rangliste das Spiel auf dem eigenen Gerät nach diesen Regeln nach. Solange er offen ist, sind die Spiele der anderen versiegelt, damit niemand sie abschreibt.',
    fairDay:
      'Einen ganzen Tag prüft, ohne dem Server etwas zu glauben, das Programm, das auch der Server ist:',
    fairLimits:
      'Was sich nicht zeigen lässt: Wer einen Server betreibt, kennt die Startwerte vorher, und keine Rangliste unterscheidet einen Menschen von einem Suchprogramm.',
    commitments: 'Die veröffentlichten Hashes',

    races: 'Rennen',
    racesWhat:
      'Zwei Spieler, dieselbe Auslage, die Uhr des Servers. Vor dem Start sieht niemand die Karten; danach sehen beide, wie viele Karten der andere abgelegt hat, aber nicht, wie.',
    racesGoals:
      '„Wenigste Züge“: Sind beide fertig, gewinnt das bessere Ergebnis, bei gleichen Siegen der frühere. „Erster Sieg“: Der erste Sieg beendet das Rennen.',
    racesEnd:
      'Ist die Zeit um, zählt die letzte Stellung. Aufgeben lässt sich zurücknehmen, solange das Rennen läuft. Niemand gewinnt, weil der andere weg ist: Die Uhr entscheidet.',
    racesRated:
      'Ein Rennen zählt für die Wertung, wenn beide ein Konto mit Passwort haben und der Server die Auslage gezogen hat. Danach sind beide Spiele für alle offen.',

    privacy: 'Was gespeichert wird',
    privacyServer:
      'Auf dem Server: der Name, ein Hash des Passworts, falls es eins gibt, und die abgegebenen Spiele mit ihrer Zeit. Keine Mailadresse, nichts über das Gerät, keine Dritten.',
    privacyDevice:
      'Auf dem Gerät: die Einstellungen, der Name, die eigenen Spiele und Ergebnisse, die letzten Auslagen und ein Cookie, das die Anmeldung hält und zu nichts sonst da ist.',
    privacyDelete:
      'Ein Konto lässt sich jederzeit löschen. Seine Ergebnisse bleiben ohne Namen auf den Ranglisten.',
  },
)
