import { counted, language, messages, number } from './index.svelte'

/** Past days, and deals of one's own. */
export const archive = messages(
  {
    title: 'Archive',
    calendar: 'Calendar',
    previous: 'Previous month',
    next: 'Next month',
    keys: 'Arrow keys go from day to day, Page up and Page down from month to month.',
    legend: 'What the marks mean',
    tried: 'tried',
    won: 'won',
    atPar: 'won at par',
    today: 'today',
    notPlayed: 'not played',
    noDeals: 'No deals in this month.',
    asNobody: 'Your results appear here once you have played.',
    days: (month: string) => `The days of ${month}`,
    day: 'Day',
    par: 'Par',
    bestKnown: 'best known',
    difficulty: 'Difficulty',
    ofFive: (n: number) => `${n} of 5`,
    players: 'Players',
    winners: (n: number) => `${number(n)} won`,
    own: 'Your result',
    boardOf: (day: string) => `Board of ${day}`,
    follow: 'Follow the daily deal:',
    feed: 'feed',
    toCalendar: 'calendar',
    goTo: 'Go to a day',
    date: 'Date',
    go: 'Go',
    noDeal: (day: string) => `There is no deal of ${day}: nobody opened it that day.`,
    future: 'That day hasn’t begun yet.',
    first: 'Which day?',
    ownDeal: 'A deal of your own',
    ownDealSays: (variant: string) =>
      `Any seed is a deal of ${variant}, the same for everybody who types it.`,
    seed: 'Seed',
    seedHint: 'Letters a to z, digits and single hyphens, at most 64. Left empty, it is drawn for you.',
    seedWrong: 'A seed has 1 to 64 letters a to z and digits, with single hyphens between them.',
    practise: 'Practise',
    practiseSays: 'Alone, with hints, on no board.',
    share: 'Make a challenge',
    shareSays: 'With a board of its own, for everybody who has the link.',
    openFor: 'Open for',
    openDays: (n: number) => counted(n, 'day', 'days'),
    made: 'The challenge is ready',
    madeSays: (until: string) => `Whoever has this link can play it until ${until}.`,
    link: 'Link',
    playIt: 'Play it',
    sealed: (until: string) =>
      `This seed belongs to a challenge or a race that isn’t over. It can be used again after ${until}.`,
    copy: 'Copy',
    copied: 'Copied',
    pleaseCopy: 'Copying isn’t allowed here. The text is selected: copy it with the keyboard or the menu.',
    send: 'Share …',
  },
  {
    title: 'Archiv',
    calendar: 'Kalender',
    previous: 'Voriger Monat',
    next: 'Nächster Monat',
    keys: 'Die Pfeiltasten führen von Tag zu Tag, Bild auf und Bild ab von Monat zu Monat.',
    legend: 'Was die Zeichen bedeuten',
    tried: 'versucht',
    won: 'gewonnen',
    atPar: 'mit Par gewonnen',
    today: 'heute',
    notPlayed: 'nicht gespielt',
    noDeals: 'In diesem Monat gibt es keine Aufgaben.',
    asNobody: 'Nach dem ersten Spiel stehen hier die eigenen Ergebnisse.',
    days: (month: string) => `Die Tage im ${month}`,
    day: 'Tag',
    par: 'Par',
    bestKnown: 'bisher bestes',
    difficulty: 'Schwierigkeit',
    ofFive: (n: number) => `${n} von 5`,
    players: 'Spieler',
    winners: (n: number) => `${number(n)} gewonnen`,
    own: 'Eigenes Ergebnis',
    boardOf: (day: string) => `Rangliste vom ${day}`,
    follow: 'Die Aufgabe des Tages abonnieren:',
    feed: 'Feed',
    toCalendar: 'Kalender',
    goTo: 'Zu einem Tag springen',
    date: 'Datum',
    go: 'Los',
    noDeal: (day: string) => `Vom ${day} gibt es keine Aufgabe: An dem Tag hat sie niemand geöffnet.`,
    future: 'Dieser Tag hat noch nicht begonnen.',
    first: 'Welcher Tag?',
    ownDeal: 'Eine eigene Aufgabe',
    ownDealSays: (variant: string) =>
      `Jeder Startwert ist eine Auslage von ${variant}, für alle dieselbe, die ihn eintippen.`,
    seed: 'Startwert',
    seedHint: 'Buchstaben a bis z, Ziffern und einzelne Bindestriche, höchstens 64. Leer: Er wird ausgelost.',
    seedWrong: 'Ein Startwert hat 1 bis 64 Buchstaben a bis z und Ziffern, dazwischen einzelne Bindestriche.',
    practise: 'Üben',
    practiseSays: 'Allein, mit Tipps, ohne Rangliste.',
    share: 'Aufgabe erstellen',
    shareSays: 'Mit eigener Rangliste, für alle, die den Link haben.',
    openFor: 'Offen für',
    openDays: (n: number) => counted(n, 'Tag', 'Tage'),
    made: 'Die Aufgabe ist fertig',
    madeSays: (until: string) => `Wer diesen Link hat, kann sie bis ${until} spielen.`,
    link: 'Link',
    playIt: 'Spielen',
    sealed: (until: string) =>
      `Dieser Startwert gehört zu einer Aufgabe oder einem Rennen, das noch läuft. Nach ${until} ist er wieder frei.`,
    copy: 'Kopieren',
    copied: 'Kopiert',
    pleaseCopy: 'Kopieren ist hier nicht erlaubt. Der Text ist markiert: mit Tastatur oder Menü kopieren.',
    send: 'Teilen …',
  },
)

const format = (at: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(language() === 'de' ? 'de' : 'en-GB', { ...options, timeZone: 'UTC' }).format(
    new Date(at),
  )

/** "November 2026" */
export const monthName = (month: string): string => format(month + '-01', { month: 'long', year: 'numeric' })

/** "Monday 30 November" */
export const dayName = (date: string): string =>
  format(date, { weekday: 'long', day: 'numeric', month: 'long' })

/** "Mon 30", "Mo., 30." */
export const dayInMonth = (date: string): string => format(date, { weekday: 'short', day: 'numeric' })

/** The seven days of a week from Monday on, in short and in full. */
export const weekdays = (): { short: string; long: string }[] =>
  [1, 2, 3, 4, 5, 6, 7].map((n) => ({
    short: format(`2024-01-0${n}`, { weekday: 'short' }), // the 1st was a Monday
    long: format(`2024-01-0${n}`, { weekday: 'long' }),
  }))
