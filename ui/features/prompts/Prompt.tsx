import { type ComponentType, Suspense } from 'react'
import { answer, type OpenPrompt, type QuestionName } from '#ui/state/prompts.ts'
import type { CardProps } from './card.ts'
import { CARDS } from './registry.ts'

/** Renders the card of one question. */
export function Prompt({ prompt: { id, question } }: { prompt: OpenPrompt }) {
  // The registry maps every question to the card of the same name; the index type does not express that.
  const Card = CARDS[question.name] as ComponentType<CardProps<QuestionName>>
  return (
    <Suspense>
      <Card
        question={question}
        onAnswer={(value) => answer(id, value)}
        onCancel={() => answer(id, undefined)}
      />
    </Suspense>
  )
}
