import { svelte } from '@sveltejs/vite-plugin-svelte'
import { readdirSync } from 'node:fs'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

/** Lists what the page is made of, for the service worker. */
const listFiles: Plugin = {
  name: 'list-files',
  generateBundle(_, bundle) {
    const fixed = readdirSync('public').filter((file) => file !== 'sw.js' && !file.endsWith('.png'))
    const built = Object.keys(bundle).filter((file) => file.startsWith('assets/'))
    const files = ['', ...fixed, ...built].sort().map((file) => '/' + file)
    this.emitFile({ type: 'asset', fileName: 'files.json', source: JSON.stringify(files, null, 1) + '\n' })
  },
}

// The build is committed, so it must be the same everywhere: no source maps, no date, no version.
export default defineConfig({
  plugins: [svelte(), listFiles],
  build: {
    target: ['chrome117', 'firefox121', 'safari16'], // the oldest that README names
    assetsInlineLimit: 0, // the Content-Security-Policy allows no inline code
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    // The refresh cookie is for pages of the server's own host only, so Host must stay.
    proxy: { '/v1': { target: process.env.VITE_API ?? 'http://localhost:8080', changeOrigin: false } },
  },
  test: { include: ['src/**/*.test.ts'] },
})
