// The table alone, for eyes and for measuring: harness.html?seed=2&variant=cruel&log=…&preview=1&top=36&bottom=48
// under `npx vite`. It is not part of the build.

import { mount } from 'svelte'
import '../app/app.css'
import './colours.css'
import Harness from './Harness.svelte'

mount(Harness, { target: document.body })
