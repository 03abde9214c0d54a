/** The kinds of tokens that have a colour, in the editor and where code is only shown. */
import { type Tag, tags } from '@lezer/highlight'

export const TOKENS = {
  keyword: [tags.keyword, tags.modifier, tags.operatorKeyword, tags.bool, tags.null, tags.self],
  string: [tags.string, tags.special(tags.string), tags.regexp, tags.inserted, tags.attributeValue],
  number: [tags.number, tags.atom, tags.unit, tags.color, tags.escape, tags.constant(tags.name)],
  name: [
    tags.function(tags.variableName),
    tags.function(tags.propertyName),
    tags.definition(tags.propertyName),
    tags.typeName,
    tags.className,
    tags.tagName,
    tags.macroName,
    tags.labelName,
    tags.attributeName,
  ],
} satisfies Record<string, Tag[]>
