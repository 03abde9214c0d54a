import { type ComponentType, useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { usePathname } from 'wouter/use-browser-location'
import { type Asked, answer, dismiss, prompts, type QuestionName } from '#ui/state/prompts.ts'
import type { CardProps } from './card.ts'
import { CARDS } from './registry.ts'

/** Every open prompt, the topmost last. Going somewhere else cancels them all. */
export function PromptStack() {
  const { stack } = useSnapshot(prompts)
  const pathname = usePathname()
  // biome-ignore lint/correctness/useExhaustiveDependencies: leaving the path is what cancels
  useEffect(() => dismiss, [pathname])
  return stack.map((asked) => <Prompt key={asked.id} asked={asked} />)
}

function Prompt({ asked: { id, question } }: { asked: Asked }) {
  // The registry pairs every question with the card of its own name, which an index type loses.
  const Card = CARDS[question.name] as ComponentType<CardProps<QuestionName>>
  return (
    <Card
      question={question}
      onAnswer={(value) => answer(id, value)}
      onCancel={() => answer(id, undefined)}
    />
  )
}
