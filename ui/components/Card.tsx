import type { ComponentProps } from 'react'
import { classNames } from '#ui/lib/class-names.ts'
import './Card.css'

/** A surface on the canvas. */
export function Card({ className, ...native }: ComponentProps<'div'>) {
  return <div {...native} className={classNames('Card', className)} />
}
