import { readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { FIRST_SETTINGS } from './lib/first-settings.ts'
import { UI_LIMITS } from './lib/limits.ts'
import { ON_DEMAND_LIMITS } from './lib/on-demand-limits.ts'

/** The server to which the dev server forwards requests of the API. */
const server = process.env.FILEMGR_DEV_SERVER ?? 'http://127.0.0.1:8080'

export default defineConfig({
  root: import.meta.dirname,
  // The server puts the base path into the page's <base>, so every URL is relative to it.
  base: './',
  plugins: [messageParts(), inlineLimits(), react()],
  server: {
    proxy: { '/api': { target: server, ws: true }, '/health': server },
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsDir: 'static',
    // light-dark(), nesting, relative colours and range queries are used as they are.
    target: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
    sourcemap: false,
    modulePreload: { polyfill: false },
    // The packaging tests limit the compressed size; Vite measures the uncompressed size.
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      // How long each plugin took says nothing to those who build.
      checks: { bundlerTimings: false },
      output: {
        // The code of the first page is one chunk instead of a dozen small ones.
        codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] },
      },
    },
  },
})

/**
 * Writes the limits as numbers where they are used. The bundler does not shorten the names of fields, and those of the
 * two tables would be more than a kilobyte of the first page.
 */
function inlineLimits(): Plugin {
  const values = new Map<string, number>(Object.entries({ ...UI_LIMITS, ...ON_DEMAND_LIMITS }))
  return {
    name: 'inline-limits',
    apply: 'build',
    enforce: 'pre',
    transform(code) {
      if (!code.includes('_LIMITS.')) return
      return code.replace(
        /\b(?:UI|ON_DEMAND)_LIMITS\.(\w+)/g,
        (use, name) => `${values.get(name) ?? use}`,
      )
    },
  }
}

/**
 * Takes the messages of the settings pages and of the activity out of en.json. `en.json?settings` has them
 * (`i18n/settings-messages.ts`).
 */
function messageParts(): Plugin {
  const [first, later] = [`/messages/en.json`, `/messages/en.json?settings`]
  return {
    name: 'message-parts',
    enforce: 'pre',
    load(id) {
      if (!id.endsWith(first) && !id.endsWith(later)) return
      const { activity, ...messages } = JSON.parse(readFileSync(id.replace(/\?.*/, ''), 'utf8'))
      const isFirst = ([group]: [string, unknown]) => FIRST_SETTINGS.includes(group)
      const [shown = [], rest = []] = [true, false].map((isWanted) =>
        Object.entries(messages.settings).filter((entry) => isFirst(entry) === isWanted),
      )
      const settings = Object.fromEntries(id.endsWith(first) ? shown : rest)
      if (id.endsWith(first)) return JSON.stringify({ ...messages, settings })
      const parts = Object.entries({ settings, activity })
      const code = parts.map(([name, texts]) => `export const ${name} = ${JSON.stringify(texts)}`)
      return { code: code.join('\n'), moduleType: 'js' }
    },
  }
}
