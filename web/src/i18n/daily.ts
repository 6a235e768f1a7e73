import { counted, messages, number } from './index.svelte'

const moves = (n: number) => counted(n, 'move', 'moves')
const redeals = (n: number) => counted(n, 'redeal', 'redeals')
const zuege = (n: number) => counted(n, 'Zug', 'Züge')
const inZuegen = (n: number) => counted(n, 'Zug', 'Zügen')

/** Submitting, the result, the day's board, a player's days, hints. */
export const daily = messages(
  {
    // loading
    wrongDeal: 'The server’s cards aren’t those of its seed. Don’t play this deal; the server is at fault.',
    otherRules: 'The server plays by newer rules than this page. Load the page again.',

    // the shared text
    shareDay: (variant: string, day: string) => `${variant} ${day}`,
    shareDeal: (variant: string) => `${variant}, a shared deal`,
    shareWon: (n: number, par: string, r: number) => `won in ${moves(n)}${par}, ${redeals(r)}`,
    shareNotWon: (cards: number, n: number, r: number) =>
      `not won, ${cards} of 52 cards home in ${moves(n)}, ${redeals(r)}`,
    sharePar: (par: number) => ` (par ${par})`,
    shareOverPar: (par: number, over: string) => ` (par ${par}, ${over})`,
    shareRounds: (list: string) => `Cards home per round: ${list}`,

    // the result
    won: (n: number) => `Won in ${moves(n)}`,
    stuck: (cards: number) => `Stuck with ${cards} of 52 cards home`,
    gaveUp: (cards: number) => `Given up with ${cards} of 52 cards home`,
    deal: (variant: string) => `${variant} · shared deal`,
    dealOfDay: (variant: string, day: string) => `${variant} · ${day}`,
    moves: 'Moves',
    redeals: 'Redeals',
    overPar: 'Over par',
    par: (n: number) => `par ${n}`,
    rank: 'Rank',
    ofPlayers: (n: number) => `of ${number(n)}`,
    close: 'Back to the table',

    // how sending goes
    submit: 'Submit',
    sending: 'Sending …',
    waiting: (until: string) =>
      `Kept on this device; sent as soon as the server is reachable. It counts until ${until}.`,
    waitingLate:
      'Kept on this device; sent as soon as the server is reachable. Its day is over: it will be marked late.',
    waitingHere: 'This browser keeps nothing: leave the page open until it is sent.',
    logInToSubmit: (name: string) =>
      `This game is ${name}’s. Log in as ${name} to submit it; until then it is kept here.`,
    refused: (why: string) => `The server refused it: ${why}`,
    checked: 'Checked by the server, and on the board.',
    improved: 'Checked by the server. It counts for the board.',
    bestStays: (n: number, rank: number) =>
      `Checked by the server. Your best here is still ${moves(n)}, rank ${number(rank)}.`,
    bestStaysCards: (cards: number, rank: number) =>
      `Checked by the server. Your best here is still ${cards} cards home, rank ${number(rank)}.`,
    late: (rank: string) => `Checked by the server, but too late for the board${rank}.`,
    wouldRank: (rank: number) => ` (it would be rank ${number(rank)})`,

    // what to do with it
    share: 'Share',
    copied: 'Copied.',
    copyByHand: 'Copy this text:',
    download: 'Save record',
    replay: 'Replay',
    wholeBoard: 'Whole board',
    nextDeal: (left: string) => `Next deal in ${left}`,
    newDeal: 'A new deal is here.',
    playIt: 'Play it',
    asGuest: (name: string) => `Playing as ${name}.`,
    chooseName: 'Choose a name',
    logIn: 'Log in',

    // rows of a board
    board: 'Board',
    neighbours: 'About this place',
    player: 'Player',
    result: 'Result',
    you: 'you',
    spokenWon: (n: number, over: number | null) =>
      `won in ${moves(n)}` +
      (over === null ? '' : over === 0 ? ', par' : over > 0 ? `, ${over} over par` : `, ${-over} under par`),
    spokenCards: (cards: number) => `not won, ${cards} of 52 cards home`,

    // the day
    parLabel: 'Par',
    proven: 'proven: no win has fewer moves',
    bestKnown: 'best known: perhaps there is less',
    heldBy: (name: string) => `found by ${name}`,
    noPar: 'No win of this deal is known yet.',
    cannotBeWon: 'This deal can’t be won; that is proven.',
    difficulty: 'Difficulty',
    nOf5: (n: number) => `${n} of 5`,
    players: 'Players',
    winners: 'Winners',
    ends: (at: string, left: string) => `Ends ${at}, in ${left}`,
    endsAt: (at: string) => `Ends ${at}`,
    ended: (at: string) => `Ended; what arrives until ${at} still counts.`,
    over: 'This day is over.',
    closed: 'This challenge has closed.',
    seal: 'Fairness',
    committed: 'fixed before the day began',
    committedLate: (at: string) => `published ${at}, after the day began`,
    fits: 'The hash fits this deal.',
    doesNotFit: 'The hash does not fit this deal!',
    howFair: 'How that works',
    noneYet: 'Nobody yet.',

    // midnight
    stillCounts: (until: string) => `This game stays. Its result counts until ${until}.`,
    noLongerCounts: 'This game stays, but its day’s board is closed.',
    isIn: 'Your result is in.',

    // a player's days
    days: 'Dailies',
    streakNow: 'Days in a row',
    streakBest: 'Longest',
    wonLabel: 'Won',
    missed: (day: string) => `A win is missing on ${day}.`,
    wonOf: (won: number, played: number) => `${number(won)} of ${number(played)}`,
    percent: (share: number) => `${Math.round(share * 100)}%`,
    histogram: 'Moves over par',
    parWord: 'par',
    barRange: (from: number, to: number) => `${from}–${to}`,
    barAbove: (n: number) => `over ${n}`,
    notWon: 'not won',
    latest: 'latest',
    games: 'Games',
    bestGap: (n: number) =>
      n === 0 ? 'Par reached.' : `Closest to par: ${n > 0 ? '+' : '−'}${Math.abs(n)}.`,

    // hints
    hint: 'Hint',
    thinking: 'Looking for a win …',
    sealed: (until: string) => `This deal is open to all until ${until}; there are no hints before.`,
    hintMove: (move: string, n: number) => `${move} That win has ${moves(n)} from here.`,

    lost: 'This can’t be won any more. Take moves back.',
    lostDeal: 'This deal can’t be won.',
    notFound: 'No win was found in the time. That proves nothing.',
    leadsBack: 'The way to a win leads back to where this game has been. Take moves back.',
    alreadyWon: 'It is won.',
    moveHome: (pile: string, card: string) => `Pile ${pile}: ${card} to its foundation.`,
    movePile: (pile: string, card: string, to: string, onto: string) =>
      `Pile ${pile}: ${card} onto ${onto} in pile ${to}.`,
    moveRun: (pile: string, count: number, to: string, onto: string) =>
      `Pile ${pile}: ${count} cards onto ${onto} in pile ${to}.`,
    moveReturn: (card: string, to: string) => `${card} back from its foundation to pile ${to}.`,
    moveRedeal: 'Redeal.',
  },
  {
    wrongDeal:
      'Die Karten des Servers sind nicht die seines Startwerts. Diese Aufgabe nicht spielen; der Fehler liegt beim Server.',
    otherRules: 'Der Server spielt nach neueren Regeln als diese Seite. Bitte die Seite neu laden.',

    shareDay: (variant: string, day: string) => `${variant}, ${day}`,
    shareDeal: (variant: string) => `${variant}, eine geteilte Aufgabe`,
    shareWon: (n: number, par: string, r: number) =>
      `gewonnen in ${inZuegen(n)}${par}, ${r}-mal neu ausgelegt`,
    shareNotWon: (cards: number, n: number, r: number) =>
      `nicht gewonnen, ${cards} von 52 Karten abgelegt in ${inZuegen(n)}, ${r}-mal neu ausgelegt`,
    sharePar: (par: number) => ` (Par ${par})`,
    shareOverPar: (par: number, over: string) => ` (Par ${par}, ${over})`,
    shareRounds: (list: string) => `Abgelegte Karten je Runde: ${list}`,

    won: (n: number) => `Gewonnen in ${inZuegen(n)}`,
    stuck: (cards: number) => `Festgefahren: ${cards} von 52 Karten abgelegt`,
    gaveUp: (cards: number) => `Aufgegeben: ${cards} von 52 Karten abgelegt`,
    deal: (variant: string) => `${variant} · geteilte Aufgabe`,
    dealOfDay: (variant: string, day: string) => `${variant} · ${day}`,
    moves: 'Züge',
    redeals: 'Neuauslagen',
    overPar: 'Über Par',
    par: (n: number) => `Par ${n}`,
    rank: 'Platz',
    ofPlayers: (n: number) => `von ${number(n)}`,
    close: 'Zurück zum Tisch',

    submit: 'Einreichen',
    sending: 'Wird gesendet …',
    waiting: (until: string) =>
      `Auf diesem Gerät aufgehoben; wird gesendet, sobald der Server zu erreichen ist. Zählt bis ${until}.`,
    waitingLate:
      'Auf diesem Gerät aufgehoben; wird gesendet, sobald der Server zu erreichen ist. Der Tag ist vorbei: Es wird als verspätet vermerkt.',
    waitingHere: 'Dieser Browser hebt nichts auf: Die Seite offen lassen, bis es gesendet ist.',
    logInToSubmit: (name: string) =>
      `Dieses Spiel gehört ${name}. Zum Einreichen als ${name} anmelden; bis dahin bleibt es hier.`,
    refused: (why: string) => `Der Server hat es abgelehnt: ${why}`,
    checked: 'Vom Server geprüft, und in der Rangliste.',
    improved: 'Vom Server geprüft. Es zählt für die Rangliste.',
    bestStays: (n: number, rank: number) =>
      `Vom Server geprüft. Die eigene Bestleistung bleibt ${zuege(n)}, Platz ${number(rank)}.`,
    bestStaysCards: (cards: number, rank: number) =>
      `Vom Server geprüft. Die eigene Bestleistung bleibt ${cards} Karten, Platz ${number(rank)}.`,
    late: (rank: string) => `Vom Server geprüft, aber zu spät für die Rangliste${rank}.`,
    wouldRank: (rank: number) => ` (es wäre Platz ${number(rank)})`,

    share: 'Teilen',
    copied: 'Kopiert.',
    copyByHand: 'Diesen Text kopieren:',
    download: 'Aufzeichnung',
    replay: 'Ansehen',
    wholeBoard: 'Ganze Rangliste',
    nextDeal: (left: string) => `Nächste Aufgabe in ${left}`,
    newDeal: 'Eine neue Aufgabe ist da.',
    playIt: 'Spielen',
    asGuest: (name: string) => `Gespielt als ${name}.`,
    chooseName: 'Namen wählen',
    logIn: 'Anmelden',

    board: 'Rangliste',
    neighbours: 'Um diesen Platz',
    player: 'Name',
    result: 'Ergebnis',
    you: 'du',
    spokenWon: (n: number, over: number | null) =>
      `gewonnen in ${inZuegen(n)}` +
      (over === null ? '' : over === 0 ? ', Par' : over > 0 ? `, ${over} über Par` : `, ${-over} unter Par`),
    spokenCards: (cards: number) => `nicht gewonnen, ${cards} von 52 Karten abgelegt`,

    parLabel: 'Par',
    proven: 'bewiesen: kein Sieg hat weniger Züge',
    bestKnown: 'bestes bekanntes: vielleicht geht es kürzer',
    heldBy: (name: string) => `gefunden von ${name}`,
    noPar: 'Noch ist kein Sieg bekannt.',
    cannotBeWon: 'Diese Aufgabe ist nicht zu gewinnen; das ist bewiesen.',
    difficulty: 'Schwierigkeit',
    nOf5: (n: number) => `${n} von 5`,
    players: 'Spieler',
    winners: 'Gewonnen',
    ends: (at: string, left: string) => `Bis ${at}, noch ${left}`,
    endsAt: (at: string) => `Bis ${at}`,
    ended: (at: string) => `Zu Ende; was bis ${at} ankommt, zählt noch.`,
    over: 'Dieser Tag ist vorbei.',
    closed: 'Diese Aufgabe ist geschlossen.',
    seal: 'Fairness',
    committed: 'festgelegt, bevor der Tag begann',
    committedLate: (at: string) => `veröffentlicht ${at}, nach Beginn des Tages`,
    fits: 'Der Hash passt zu diesen Karten.',
    doesNotFit: 'Der Hash passt nicht zu diesen Karten!',
    howFair: 'Wie das geht',
    noneYet: 'Noch niemand.',

    stillCounts: (until: string) => `Dieses Spiel bleibt. Sein Ergebnis zählt bis ${until}.`,
    noLongerCounts: 'Dieses Spiel bleibt, aber die Rangliste seines Tages ist geschlossen.',
    isIn: 'Das Ergebnis ist eingereicht.',

    days: 'Tagesaufgaben',
    streakNow: 'Tage in Folge',
    streakBest: 'Längste Serie',
    wonLabel: 'Gewonnen',
    missed: (day: string) => `Am ${day} fehlt ein Sieg.`,
    wonOf: (won: number, played: number) => `${number(won)} von ${number(played)}`,
    percent: (share: number) => `${Math.round(share * 100)} %`,
    histogram: 'Züge über Par',
    parWord: 'Par',
    barRange: (from: number, to: number) => `${from}–${to}`,
    barAbove: (n: number) => `über ${n}`,
    notWon: 'nicht gewonnen',
    latest: 'zuletzt',
    games: 'Spiele',
    bestGap: (n: number) =>
      n === 0 ? 'Par erreicht.' : `Am nächsten an Par: ${n > 0 ? '+' : '−'}${Math.abs(n)}.`,

    hint: 'Tipp',
    thinking: 'Eine Lösung wird gesucht …',
    sealed: (until: string) =>
      `Diese Aufgabe ist noch bis ${until} für alle offen; vorher gibt es keine Tipps.`,
    hintMove: (move: string, n: number) => `${move} Diese Lösung hat von hier aus ${zuege(n)}.`,

    lost: 'Das ist nicht mehr zu gewinnen. Züge zurücknehmen.',
    lostDeal: 'Diese Aufgabe ist nicht zu gewinnen.',
    notFound: 'In der Zeit wurde keine Lösung gefunden. Das beweist nichts.',
    leadsBack: 'Der Weg zum Sieg führt dorthin zurück, wo dieses Spiel schon war. Züge zurücknehmen.',
    alreadyWon: 'Es ist gewonnen.',
    moveHome: (pile: string, card: string) => `Stapel ${pile}: ${card} auf die Ablage.`,
    movePile: (pile: string, card: string, to: string, onto: string) =>
      `Stapel ${pile}: ${card} auf ${onto} in Stapel ${to}.`,
    moveRun: (pile: string, count: number, to: string, onto: string) =>
      `Stapel ${pile}: ${count} Karten auf ${onto} in Stapel ${to}.`,
    moveReturn: (card: string, to: string) => `${card} von der Ablage zurück auf Stapel ${to}.`,
    moveRedeal: 'Neu auslegen.',
  },
)
