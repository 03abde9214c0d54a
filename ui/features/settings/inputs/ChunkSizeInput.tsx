import { useEffect, useRef, useState } from 'react'
import { Input } from '#ui/components/fields/Input.tsx'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import type { RowControl } from '../rows/SettingRow.tsx'
import { chunkSizeOf, chunkSizeText } from './chunk-size.ts'

interface ChunkSizeInputProps extends RowControl {
  bytes: number
  onApply(bytes: number): void
}

/**
 * A size as text. It is applied after a pause of 1.5 s, or at once on blur and Enter; then the field shows the exact
 * size in its largest unit.
 */
export function ChunkSizeInput({ bytes, onApply, ...control }: ChunkSizeInputProps) {
  const [typed, setTyped] = useState<string>()
  const apply = useRef(() => {})
  apply.current = () => {
    if (typed === undefined) return
    onApply(chunkSizeOf(typed))
    setTyped(undefined)
  }

  useEffect(() => {
    if (typed === undefined) return
    const timer = setTimeout(() => apply.current(), ON_DEMAND_LIMITS.chunkSizeDebounceMs)
    return () => clearTimeout(timer)
  }, [typed])

  return (
    <Input
      {...control}
      dir="ltr"
      autoComplete="off"
      spellCheck={false}
      value={typed ?? chunkSizeText(bytes)}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={() => apply.current()}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply.current()
      }}
    />
  )
}
