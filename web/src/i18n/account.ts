import { messages } from './index.svelte'

/** The account page. */
export const account = messages(
  {
    title: 'Account',
    nobody:
      'You can play without an account: your first result makes you a guest. A name and a password keep your results for other devices.',
    ended: (name: string) => `The session of ${name} has ended. Log in to go on as ${name}.`,
    goOnAsGuest: 'Go on as a guest',
    guest: (name: string) => `You play as the guest ${name}`,
    guestSays: 'Everything so far is kept for this browser only. With a password it is yours everywhere.',
    player: (name: string) => `Logged in as ${name}`,
    yourResults: 'Your results',

    logIn: 'Log in',
    create: 'Create an account',
    recover: 'Recover an account',
    forgot: 'Password lost? Use the recovery code',
    name: 'Name',
    nameHint: '3 to 20 letters, digits, hyphens or underscores. Everybody sees it.',
    password: 'Password',
    newPassword: 'New password',
    currentPassword: 'Current password',
    passwordHint: 'At least 8 characters.',
    show: 'Show password',
    code: 'Recovery code',
    codeHint: 'It was shown when the password was set. It works once; a new one follows.',

    needName: 'A name is needed.',
    shortName: 'A name has at least 3 characters.',
    longName: 'A name has at most 20 characters.',
    spaceInName: 'A name has no spaces; use a hyphen or an underscore.',
    refusedName: (why: string) => why,
    needPassword: 'A password is needed.',
    shortPassword: 'A password has at least 8 characters.',
    longPassword: 'A password has at most 128 characters.',
    refusedPassword: (why: string) => why,
    needCode: 'The recovery code is needed.',
    nameTaken: 'This name, or one that looks like it, belongs to somebody.',
    wrongLogIn: 'Name and password don’t belong together.',
    wrongCode: 'Name and recovery code don’t belong together.',
    wrongPassword: 'This isn’t the current password.',

    setName: 'Choose a name',
    changeName: 'Change the name',
    saveName: 'Save the name',
    nameSaved: (name: string) => `You are ${name} now.`,
    setPassword: 'Set a password',
    setPasswordSays:
      'All your results stay, and you can log in on any device. It also makes your races count for ratings.',
    changePassword: 'Change the password',
    changePasswordSays: 'Other devices are logged out, and the old recovery code is void.',
    savePassword: 'Save the password',
    passwordSaved: 'The password is saved.',

    other: 'Log in to another account',
    otherSays: (name: string) =>
      `The results of ${name} stay with the guest. They can’t be moved, and without a password nobody can get back to them.`,
    otherAgree: 'I know that the guest’s results are left behind.',

    codeTitle: 'Your recovery code',
    codeSays:
      'It sets a new password if yours is lost. It is shown this one time, and nobody can look it up, not even we.',
    codeNoted: 'I have noted it',

    logOut: 'Log out',
    loggedOut: 'You are logged out.',
    loggedIn: (name: string) => `Logged in as ${name}.`,
    deleteTitle: 'Delete the account',
    deleteSays:
      'Your name and all sessions are gone at once, and the name is never given again. Your results stay on their boards as those of a “deleted player”, without your name. Races that haven’t ended end. It can’t be undone.',
    deleteType: (name: string) => `To delete it, type the name: ${name}`,
    deleteIt: 'Delete for ever',
    deleteMismatch: 'That isn’t the name.',
    deleted: 'The account is deleted.',
    working: 'One moment …',
  },
  {
    title: 'Konto',
    nobody:
      'Spielen geht ohne Konto: Mit dem ersten Ergebnis entsteht ein Gast. Ein Name und ein Passwort bewahren die Ergebnisse auch für andere Geräte.',
    ended: (name: string) =>
      `Die Sitzung von ${name} ist abgelaufen. Zum Weiterspielen als ${name} bitte anmelden.`,
    goOnAsGuest: 'Als Gast weiterspielen',
    guest: (name: string) => `Du spielst als Gast ${name}`,
    guestSays:
      'Alle Ergebnisse bisher gibt es nur in diesem Browser. Mit einem Passwort sind sie überall da.',
    player: (name: string) => `Angemeldet als ${name}`,
    yourResults: 'Deine Ergebnisse',

    logIn: 'Anmelden',
    create: 'Konto anlegen',
    recover: 'Konto wiederherstellen',
    forgot: 'Passwort verloren? Mit dem Wiederherstellungscode',
    name: 'Name',
    nameHint: '3 bis 20 Buchstaben, Ziffern, Binde- oder Unterstriche. Alle sehen ihn.',
    password: 'Passwort',
    newPassword: 'Neues Passwort',
    currentPassword: 'Jetziges Passwort',
    passwordHint: 'Mindestens 8 Zeichen.',
    show: 'Passwort zeigen',
    code: 'Wiederherstellungscode',
    codeHint: 'Er wurde gezeigt, als das Passwort gesetzt wurde. Er gilt einmal, danach gibt es einen neuen.',

    needName: 'Ein Name fehlt.',
    shortName: 'Ein Name hat mindestens 3 Zeichen.',
    longName: 'Ein Name hat höchstens 20 Zeichen.',
    spaceInName: 'Ein Name hat keine Leerzeichen; Binde- oder Unterstriche gehen.',
    refusedName: () =>
      'Dieser Name geht nicht. Erlaubt sind Buchstaben einer Schrift, Ziffern, Binde- und Unterstriche; manche Namen sind vergeben.',
    needPassword: 'Ein Passwort fehlt.',
    shortPassword: 'Ein Passwort hat mindestens 8 Zeichen.',
    longPassword: 'Ein Passwort hat höchstens 128 Zeichen.',
    refusedPassword: () => 'Dieses Passwort geht nicht: Es enthält Zeichen, die nicht erlaubt sind.',
    needCode: 'Der Wiederherstellungscode fehlt.',
    nameTaken: 'Dieser Name, oder einer, der so aussieht, gehört schon jemandem.',
    wrongLogIn: 'Name und Passwort gehören nicht zusammen.',
    wrongCode: 'Name und Wiederherstellungscode gehören nicht zusammen.',
    wrongPassword: 'Das ist nicht das jetzige Passwort.',

    setName: 'Einen Namen wählen',
    changeName: 'Namen ändern',
    saveName: 'Namen speichern',
    nameSaved: (name: string) => `Der Name ist jetzt ${name}.`,
    setPassword: 'Ein Passwort setzen',
    setPasswordSays:
      'Alle Ergebnisse bleiben, und die Anmeldung geht von jedem Gerät. Rennen zählen dann auch für die Wertung.',
    changePassword: 'Passwort ändern',
    changePasswordSays:
      'Andere Geräte werden abgemeldet, und der alte Wiederherstellungscode gilt nicht mehr.',
    savePassword: 'Passwort speichern',
    passwordSaved: 'Das Passwort ist gespeichert.',

    other: 'Mit einem anderen Konto anmelden',
    otherSays: (name: string) =>
      `Die Ergebnisse von ${name} bleiben beim Gast. Sie lassen sich nicht übertragen, und ohne Passwort kommt niemand mehr an sie heran.`,
    otherAgree: 'Die Ergebnisse des Gasts bleiben zurück, das ist mir klar.',

    codeTitle: 'Der Wiederherstellungscode',
    codeSays:
      'Mit ihm lässt sich ein neues Passwort setzen, wenn das alte verloren ist. Er wird nur dieses eine Mal gezeigt, und niemand kann ihn nachsehen, auch wir nicht.',
    codeNoted: 'Ich habe ihn notiert',

    logOut: 'Abmelden',
    loggedOut: 'Abgemeldet.',
    loggedIn: (name: string) => `Angemeldet als ${name}.`,
    deleteTitle: 'Konto löschen',
    deleteSays:
      'Der Name und alle Anmeldungen sind sofort weg, und der Name wird nie wieder vergeben. Die Ergebnisse bleiben auf ihren Ranglisten, als die eines „gelöschten Spielers“ ohne Namen. Laufende Rennen enden. Rückgängig geht das nicht.',
    deleteType: (name: string) => `Zum Löschen den Namen eintippen: ${name}`,
    deleteIt: 'Endgültig löschen',
    deleteMismatch: 'Das ist nicht der Name.',
    deleted: 'Das Konto ist gelöscht.',
    working: 'Einen Moment …',
  },
)
