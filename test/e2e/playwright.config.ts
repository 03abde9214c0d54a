/**
 * The end-to-end tests: the compiled executable, and the system's Chromium. With FILEMGR_SHOTS set:
 * the pictures of `npm run shots`.
 */
import { defineConfig } from 'playwright/test'

const SHOTS = process.env.FILEMGR_SHOTS !== undefined
const WIDE = { width: 1440, height: 900 }

/**
 * Features of Chromium that no test needs. Chromium uses only the last `--disable-features`, so the entries of
 * Playwright's list that change pages are repeated. With WebUIOmnibox…, the address bar would render two hidden
 * pages for each window.
 */
const DISABLED_FEATURES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'OptimizationHints',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
]

const CHROMIUM = process.env.FILEMGR_CHROMIUM ?? '/usr/bin/chromium'
const ARGS = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
  // A page of a test lives for seconds: compiling its scripts for speed takes more time than it saves, like a second
  // process for drawing.
  '--js-flags=--no-opt --no-maglev',
  '--in-process-gpu',
  `--disable-features=${DISABLED_FEATURES.join(',')}`,
  // Chromium refuses its own sandbox to root, and containers run as root.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]
/** Flows in which the service worker is the point. */
const WITH_SERVICE_WORKER = 'service-worker/**'

export default defineConfig({
  testDir: SHOTS ? 'shots' : 'flows',
  outputDir: SHOTS ? '../../dist/e2e-shots' : '../../dist/e2e',
  projects: SHOTS
    ? [{ name: 'pictures', use: { serviceWorkers: 'block' } }]
    : [
        // As on pages without a secure context, such as http://nas.local. Routes of a test are exact here: no request
        // passes them while a service worker takes control of the page.
        {
          name: 'no service worker',
          testIgnore: WITH_SERVICE_WORKER,
          use: { serviceWorkers: 'block' },
        },
        { name: 'service worker', testMatch: WITH_SERVICE_WORKER },
        // The most important flows run with a service worker, too.
        { name: 'both', testIgnore: WITH_SERVICE_WORKER, grep: /@both/ },
      ],
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: 'line',
  use: {
    browserName: 'chromium',
    headless: true,
    viewport: WIDE,
    locale: 'en-GB',
    timezoneId: 'UTC',
    colorScheme: 'light',
    contextOptions: { reducedMotion: 'reduce' },
    // Of a test that fails. Its trace is recorded when it runs once more, because traces slow all tests.
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.FILEMGR_HEADLESS_SHELL ?? CHROMIUM,
      args: ARGS,
    },
  },
})
