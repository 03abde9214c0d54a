/** The browser and operating system that a user agent string names. Product names are not translated. */
export interface Device {
  browser: string | undefined
  system: string | undefined
  isMobile: boolean
}

/** The first match counts: Edge also names itself Chrome, and Chrome names itself Safari. */
const BROWSERS = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\b(?:Headless)?Chrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const

const SYSTEMS = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b|\biPod\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const

/** Clients that are no browser keep the name that they send: `curl`. */
export function deviceOf(agent: string): Device {
  const first = (table: readonly (readonly [RegExp, string])[]) =>
    table.find(([pattern]) => pattern.test(agent))?.[1]
  const program = /^(?!Mozilla)([\w.-]+)\//.exec(agent)?.[1]
  return {
    browser: first(BROWSERS) ?? program,
    system: first(SYSTEMS),
    isMobile: /\bMobile\b|\bAndroid\b|\biPhone\b|\biPad\b/.test(agent),
  }
}
