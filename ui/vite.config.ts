import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where the dev server sends calls of the API. */
const server = process.env.FILEMGR_DEV_SERVER ?? 'http://127.0.0.1:8080'

export default defineConfig({
  root: import.meta.dirname,
  // The server puts the base path into the page's <base>, so every address is relative to it.
  base: './',
  plugins: [react()],
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
    // The packaging tests weigh what travels; vite weighs it unpacked.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        // What the first page needs comes in one request, not in a dozen small ones.
        codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] },
      },
    },
  },
})
