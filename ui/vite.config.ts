import { readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { UI_LIMITS } from './lib/limits.ts'
import { partOf } from './lib/message-parts.ts'
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
 * Takes the messages that the first page does not show out of en.json (`lib/message-parts.ts`). Each file that names one
 * imports its part, so that its texts are there whenever its code is.
 */
function messageParts(): Plugin {
  const source = `${import.meta.dirname}/i18n/messages/en.json`
  const i18n = `${import.meta.dirname}/i18n/i18n.ts`
  /** It names reasons of faults that only later pages show. */
  const faults = `${import.meta.dirname}/i18n/faults.ts`
  const virtual = '\0messages-of-'
  /** File → a message that it uses, and that the first page does not have. */
  const users = new Map<string, string>()
  return {
    name: 'message-parts',
    enforce: 'pre',
    resolveId: (id) =>
      id.startsWith('virtual:messages-of-') ? id.replace('virtual:', '\0') : null,
    load(id) {
      const part = id.startsWith(virtual) ? id.slice(virtual.length) : undefined
      if (id !== source && part === undefined) return
      const texts = JSON.stringify(messagesOf(JSON.parse(readFileSync(source, 'utf8')), part))
      if (part === undefined) return texts
      const code = `import { i18next } from ${JSON.stringify(i18n)}
        i18next.addResourceBundle('en', 'translation', ${texts}, true, true)`
      return { code, moduleType: 'js', moduleSideEffects: true }
    },
    transform(code, id) {
      if (!id.startsWith(import.meta.dirname) || !/\.tsx?$/.test(id) || id === faults) return
      const keys = [...code.matchAll(/['"`]([a-z]\w*\.[\w.]*)/gi)].map(([, key = '']) => key)
      const later = keys.filter((key) => partOf(key) !== undefined)
      if (later.length === 0) return
      users.set(id, later[0] ?? '')
      const parts = new Set(later.map(partOf))
      return [...parts].map((part) => `import 'virtual:messages-of-${part}';`).join('') + code
    },
    generateBundle(_, files) {
      for (const file of Object.values(files)) {
        if (file.type !== 'chunk' || !file.isEntry || file.name !== 'index') continue
        const wrong = Object.keys(file.modules).filter((id) => users.has(id))
        const names = wrong.map((id) => `${id} (${users.get(id)})`).join(', ')
        if (wrong.length > 0) this.error(`The first page has no texts for: ${names}`)
      }
    },
  }
}

/** The messages of one part; undefined for those that the first page has. */
function messagesOf(messages: object, part: string | undefined, prefix = ''): object {
  const entries = Object.entries(messages).flatMap(([name, value]): [string, unknown][] => {
    const key = prefix + name
    if (typeof value === 'string') return partOf(key) === part ? [[name, value]] : []
    const inner = messagesOf(value, part, `${key}.`)
    return Object.keys(inner).length > 0 ? [[name, inner]] : []
  })
  return Object.fromEntries(entries)
}
