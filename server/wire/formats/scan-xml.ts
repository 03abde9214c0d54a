/// <reference path="./saxen.d.ts" />
/** Reads XML from its beginning to its end, without a tree: workers and the server have no DOM. */
import { Parser } from 'saxen'

export interface XmlListener {
  /** @param name without its prefix */
  open?(name: string, attribute: (name: string) => string | undefined): void
  close?(name: string): void
  text?(text: string): void
}

/**
 * @param listen gets a function that ends the reading
 * @param broken makes the error to throw if the text is not XML
 * @param isCut whether the text is only the beginning of a file, whose end is not missed
 */
export function scanXml(
  xml: string,
  listen: (stop: () => void) => XmlListener,
  broken: (cause: unknown) => Error,
  isCut = false,
): void {
  const parser = new Parser()
  const { open, close, text } = listen(() => parser.stop())
  parser.on('error', (cause) => {
    throw broken(cause)
  })
  if (open) {
    parser.on('openTag', (name, attributes, decode) => {
      open(localName(name), (wanted) => {
        const value = Object.entries(attributes()).find(([key]) => localName(key) === wanted)?.[1]
        return value === undefined ? undefined : decode(value)
      })
    })
  }
  if (close) parser.on('closeTag', (name) => close(localName(name)))
  if (text) {
    parser.on('text', (value, decode) => text(decode(value)))
    parser.on('cdata', text)
  }
  if (isCut) parser.write(xml)
  else parser.parse(xml)
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
