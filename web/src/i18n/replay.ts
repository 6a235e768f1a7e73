import { cards } from './cards'
import { counted, messages, number } from './index.svelte'

export const replay = messages(
  {
    title: 'Replay',
    of: (who: string) => `${who}’s game`,
    parOf: 'The par',
    first: 'To the deal',
    back: 'One move back',
    forward: 'One move on',
    last: 'To the end',
    play: 'Play',
    pause: 'Pause',
    speed: 'Speed',
    copyLink: 'Copy a link to this move',
    copied: 'Link copied',
    notCopied: 'The link couldn’t be copied; it is in the address line.',
    download: 'Download the record',
    at: (m: number, of: number, round: number, home: number) =>
      `move ${number(m)} of ${number(of)}, round ${number(round)}, ${counted(home, 'card', 'cards')} home`,
    round: (n: number) => `Round ${number(n)}`,
    home: (n: number) => `${number(n)} home`,
    deal: 'Deal',
    moves: 'Moves',
    words: 'In words',
    board: 'As text',
    checked: (moves: number, outcome: string) =>
      `Checked in your browser: ${counted(moves, 'move', 'moves')}, ${outcome}.`,
    rules: (n: number) => `Rules version ${n}`,
    won: 'won',
    stuck: 'stuck',
    unfinished: 'not finished',
    refused: (index: number, token: string) =>
      `This log doesn’t hold: move ${number(index)}, “${token}”, isn’t allowed by the rules.`,
    differs: 'The log holds, but proves another result than the one that was claimed.',
    tooFar: (m: number) => `The link asks for move ${number(m)}; this is the last one.`,
    sealed: (until: string) =>
      `This game can be seen from ${until} on. Until then its deal is still being played.`,
    playFromHere: 'Play on from here',
    playNote: 'For practice, never ranked.',
    replace: 'You have a game of your own on this deal. Replace it?',
    yes: 'Replace it',
    no: 'Keep it',
    openFile: 'Open a .cruel file',
    badFile: (line: number) => `This is not a record: line ${number(line)} is at fault.`,
    compareWith: (who: string) => `Compare with ${who}`,
    apart: (round: number, m: number) => `They differ from round ${number(round)} on, at move ${number(m)}.`,
    alike: 'Both games are the same.',
    toBoard: 'Leaderboard',
    redeal: 'redeal',
    toFoundation: (pile: string, rank: number, suit: number) =>
      `pile ${pile}, ${cards.name(rank, suit)} to the foundation`,
    toPile: (pile: string, rank: number, suit: number, to: string) =>
      `pile ${pile}, ${cards.name(rank, suit)} to pile ${to}`,
    runToPile: (pile: string, count: number, to: string) =>
      `${number(count)} cards from pile ${pile} to pile ${to}`,
    backToPile: (rank: number, suit: number, to: string) => `${cards.name(rank, suit)} back to pile ${to}`,
  },
  {
    title: 'Wiedergabe',
    of: (who: string) => `Spiel von ${who}`,
    parOf: 'Das Par',
    first: 'Zum Anfang',
    back: 'Einen Zug zurück',
    forward: 'Einen Zug weiter',
    last: 'Zum Ende',
    play: 'Abspielen',
    pause: 'Anhalten',
    speed: 'Tempo',
    copyLink: 'Link zu diesem Zug kopieren',
    copied: 'Link kopiert',
    notCopied: 'Der Link ließ sich nicht kopieren; er steht in der Adresszeile.',
    download: 'Aufzeichnung herunterladen',
    at: (m: number, of: number, round: number, home: number) =>
      `Zug ${number(m)} von ${number(of)}, Runde ${number(round)}, ${counted(home, 'Karte', 'Karten')} abgelegt`,
    round: (n: number) => `Runde ${number(n)}`,
    home: (n: number) => `${number(n)} abgelegt`,
    deal: 'Anfang',
    moves: 'Züge',
    words: 'In Worten',
    board: 'Als Text',
    checked: (moves: number, outcome: string) =>
      `In diesem Browser geprüft: ${counted(moves, 'Zug', 'Züge')}, ${outcome}.`,
    rules: (n: number) => `Regeln, Version ${n}`,
    won: 'gewonnen',
    stuck: 'festgefahren',
    unfinished: 'nicht beendet',
    refused: (index: number, token: string) =>
      `Dieser Verlauf stimmt nicht: Zug ${number(index)}, „${token}“, ist nach den Regeln nicht erlaubt.`,
    differs: 'Der Verlauf stimmt, belegt aber ein anderes Ergebnis als das behauptete.',
    tooFar: (m: number) => `Der Link nennt Zug ${number(m)}; dies ist der letzte.`,
    sealed: (until: string) =>
      `Dieses Spiel ist ab ${until} zu sehen. Bis dahin wird seine Auslage noch gespielt.`,
    playFromHere: 'Von hier weiterspielen',
    playNote: 'Zur Übung, ohne Wertung.',
    replace: 'Zu dieser Auslage gibt es schon ein eigenes Spiel. Soll es ersetzt werden?',
    yes: 'Ersetzen',
    no: 'Behalten',
    openFile: '.cruel-Datei öffnen',
    badFile: (line: number) => `Das ist keine Aufzeichnung: Zeile ${number(line)} ist fehlerhaft.`,
    compareWith: (who: string) => `Mit ${who} vergleichen`,
    apart: (round: number, m: number) =>
      `Sie unterscheiden sich ab Runde ${number(round)}, bei Zug ${number(m)}.`,
    alike: 'Beide Spiele sind gleich.',
    toBoard: 'Rangliste',
    redeal: 'neu auslegen',
    toFoundation: (pile: string, rank: number, suit: number) =>
      `Stapel ${pile}, ${cards.name(rank, suit)} auf die Ablage`,
    toPile: (pile: string, rank: number, suit: number, to: string) =>
      `Stapel ${pile}, ${cards.name(rank, suit)} auf Stapel ${to}`,
    runToPile: (pile: string, count: number, to: string) =>
      `${number(count)} Karten von Stapel ${pile} auf Stapel ${to}`,
    backToPile: (rank: number, suit: number, to: string) =>
      `${cards.name(rank, suit)} zurück auf Stapel ${to}`,
  },
)
