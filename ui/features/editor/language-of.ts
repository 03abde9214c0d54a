/** The languages that are coloured. The grammar of each is loaded with its first file. */
import { LanguageDescription } from '@codemirror/language'
import { languages } from '@codemirror/language-data'

/** @returns the language of a file by its name; undefined for plain text */
export function languageOf(name: string): LanguageDescription | undefined {
  return LanguageDescription.matchFilename(languages, name) ?? undefined
}
