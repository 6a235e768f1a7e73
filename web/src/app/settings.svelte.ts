// What a player has chosen, kept on the device. Reading a field in a component follows its changes, in
// other tabs too.

export interface Settings {
  language: 'auto' | 'en' | 'de'
  theme: 'auto' | 'light' | 'dark'
  deck: 'auto' | 'two' | 'four' | 'safe' // auto: four colours where building is in suit
  view: 'stacked' | 'fanned'
  speed: 0 | 0.5 | 1 | 2 // times of all animations; 0: none
  tapSelects: boolean // a tap never plays by itself
  mirrored: boolean // for the left hand
  textMode: boolean
  variant: string // of the first page
}

const defaults: Settings = {
  language: 'auto',
  theme: 'auto',
  deck: 'auto',
  view: 'stacked',
  speed: 1,
  tapSelects: false,
  mirrored: false,
  textMode: false,
  variant: 'cruel',
}

const key = 'cruel.settings'
const statusBar = { light: '#17483a', dark: '#0a1f1b' } // as --bar, and in index.html

function stored(): Settings {
  try {
    return { ...defaults, ...JSON.parse(localStorage.getItem(key) ?? '{}') }
  } catch {
    return { ...defaults } // no storage, or not ours
  }
}

export const settings: Settings = $state(stored())

$effect.root(() => {
  $effect(() => {
    const text = JSON.stringify(settings)
    try {
      if (localStorage.getItem(key) !== text) localStorage.setItem(key, text)
    } catch {
      // it holds for this page only
    }
  })
  $effect(() => {
    const { theme } = settings
    document.documentElement.dataset.theme = theme // public/theme.js does it before the first paint
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
      const system = meta.media.includes('dark') ? 'dark' : 'light'
      meta.content = statusBar[theme === 'auto' ? system : theme]
    }
  })
})

addEventListener('storage', (e) => {
  if (e.key === key) Object.assign(settings, stored())
})
