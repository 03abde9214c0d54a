/** The page: the built index.html with settings, base path and nonce. */
import type { PublicSettings } from '#wire/api/settings.ts'
import { indexHtml } from './assets.ts'
import { type WindowColor, windowColors } from './window-color.ts'

/** Replaced in index.html by the data of this instance. */
const PLACEHOLDER = '<!--filemgr:head-->'

/** The operator's stylesheet is last, so that it takes precedence. */
const CUSTOM_CSS = '<link rel="stylesheet" href="static/custom.css">\n'

/** A picture that is shown until the page shows its own. */
export interface PagePicture {
  /** Where the page shows it: as the first picture of a folder's cover, or as the shared file. */
  layout: 'cover' | 'file'
  /** A `data:` URL. */
  url: string
}

/**
 * @param nonce for the scripts and styles of this page
 * @returns the HTML
 */
export async function renderPage(
  settings: PublicSettings,
  nonce: string,
  picture?: PagePicture,
): Promise<string> {
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
    .replace('<body>', () => `<body>${picture ? pictureElement(picture) : ''}`)
    .replaceAll('<script type="module"', `<script nonce="${nonce}" type="module"`)
    .replaceAll('<style>', `<style nonce="${nonce}">`)
}

function pictureElement({ layout, url }: PagePicture): string {
  return `<img id="page-picture" class="PagePicture" data-layout="${layout}" src="${url}" alt="">`
}

function themeColor({ color, media }: WindowColor): string {
  const attribute = media ? ` media="${media}"` : ''
  return `<meta name="theme-color" content="${escapeHtml(color)}"${attribute}>`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`)
}

/** JSON that cannot end its script element. */
function escapeJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
