/** Sanitizes a rendered document: the result contains no scripts and nothing that causes a request. */
import createPurifier, { type Config, type DOMPurify } from 'dompurify'
import { CHECKED_STYLE, checkStyles, withoutUrls } from '#ui/lib/text/safe-css.ts'

const ALLOWED: Config = {
  USE_PROFILES: { html: true, svg: true, mathMl: true },
  FORBID_TAGS: [
    'area',
    'audio',
    'button',
    'form',
    'input',
    'map',
    'picture',
    'select',
    'source',
    'style',
    'textarea',
    'video',
  ],
  FORBID_ATTR: ['background', 'name', 'ping', 'poster', 'srcset', 'style', 'target'],
  ALLOW_DATA_ATTR: false,
  ADD_ATTR: [CHECKED_STYLE],
  ADD_URI_SAFE_ATTR: [CHECKED_STYLE],
  RETURN_DOM_FRAGMENT: true,
}

/** A document that is ready to be shown. */
export interface SafePage {
  body: DocumentFragment
  /** Style sheets as CSS text. */
  styles: readonly string[]
}

let purifier: DOMPurify | undefined

/** @param root the root element of the rendered document; it belongs to a document without a window */
export function safePage(root: Element, styles: readonly string[]): SafePage {
  purifier ??= createPurifier(window)
  checkStyles(root)
  // With RETURN_DOM_FRAGMENT the result is a fragment, which the type of `sanitize` does not express.
  const body = purifier.sanitize(root.innerHTML, ALLOWED) as unknown as DocumentFragment
  for (const element of body.querySelectorAll('[src], [href], [*|href]')) keepSafeUrls(element)
  return { body, styles: styles.map(withoutUrls) }
}

/** A picture as a data URL. If the media type is unknown, browsers detect the format, but show no SVG. */
const PICTURE = /^data:(application\/octet-stream|image\/(?!svg)[a-z.+-]+);base64,/i
const LINK = /^(https?:|mailto:|#)/i

/** Removes the URL of an element, except data URLs of pictures, and links to web pages, mail addresses or this page. */
function keepSafeUrls(element: Element): void {
  const safe = element.localName === 'a' ? LINK : PICTURE
  for (const { name, value } of [...element.attributes]) {
    if (/^(src|(xlink:)?href)$/i.test(name) && !safe.test(value.trim())) {
      element.removeAttribute(name)
    }
  }
}
