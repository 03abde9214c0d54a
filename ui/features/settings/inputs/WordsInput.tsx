import { useState } from 'react'
import { Input } from '#ui/components/fields/Input.tsx'
import { parseWords } from './parse-lists.ts'

interface WordsInputProps {
  words: readonly string[]
  placeholder?: string
  onChange(words: string[]): void
}

/** A list of words, separated by spaces (docs/specification.md 5). */
export function WordsInput({ words, placeholder, onChange }: WordsInputProps) {
  const [text, setText] = useState(words.join(' '))
  return (
    <Input
      dir="ltr"
      autoCapitalize="none"
      autoComplete="off"
      spellCheck={false}
      placeholder={placeholder}
      value={text}
      onChange={(event) => {
        setText(event.target.value)
        onChange(parseWords(event.target.value))
      }}
    />
  )
}
