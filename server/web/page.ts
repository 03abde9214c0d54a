/** The page: the built index.html with the instance's settings, its base path and a nonce. */
import type { PublicSettings } from '#wire/settings.ts'
import { indexHtml } from './assets.ts'
import { type WindowColor, windowColors } from './window-color.ts'

/** Where index.html waits for what only the server knows. */
const PLACEHOLDER = '<!--filemgr:head-->'

/** The operator's stylesheet comes last, so that it decides. */
const CUSTOM_CSS = '<link rel="stylesheet" href="static/custom.css">\n'

/**
 * @param nonce allows this page's scripts and styles, and no others
 * @returns the page's HTML
 */
export async function page(settings: PublicSettings, nonce: string): Promise<string> {
  const html = await indexHtml()
  const head = [
    `<base href="${escapeHtml(settings.BaseURL)}/">`,
    `<title>${escapeHtml(settings.Name)}</title>`,
    ...windowColors(settings).map(themeColor),
    `<script type="application/json" id="settings" nonce="${nonce}">${escapeJson(settings)}</script>`,
  ].join('\n')
  return html
    .replace(PLACEHOLDER, () => head)
    .replace('</head>', () => `${settings.CSS ? CUSTOM_CSS : ''}</head>`)
    .replaceAll('<script type="module"', `<script nonce="${nonce}" type="module"`)
    .replaceAll('<style>', `<style nonce="${nonce}">`)
}

function themeColor({ color, theme }: WindowColor): string {
  const media = theme ? ` media="(prefers-color-scheme: ${theme})"` : ''
  return `<meta name="theme-color" content="${escapeHtml(color)}"${media}>`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`)
}

/** JSON that cannot end the script it stands in, whatever a name holds. */
function escapeJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
