import type { ComponentType } from 'react'
import { type Asked, answer, type QuestionName } from '#ui/state/prompts.ts'
import type { CardProps } from './card.ts'
import { CARDS } from './registry.ts'

/** One question, as its card. */
export function Prompt({ asked: { id, question } }: { asked: Asked }) {
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
