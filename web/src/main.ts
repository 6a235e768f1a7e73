import { mount } from 'svelte'
import './table/colours.css'
import './app/app.css'
import App from './app/App.svelte'

mount(App, { target: document.getElementById('app')! })

// Without one (on plain http, say) the page only doesn't open offline.
if (import.meta.env.PROD) void navigator.serviceWorker?.register('/sw.js').catch(() => {})
