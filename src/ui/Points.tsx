import css from './Points.module.css'

interface PointsProps {
  /** The level of the headings. */
  readonly heading: 'h2' | 'h3'
  readonly points: readonly { readonly title: string; readonly text: string }[]
}

/** Explains in three points, side by side, what a screen is for. */
export function Points({ heading: Heading, points }: PointsProps) {
  return (
    <ol className={css.points}>
      {points.map(({ title, text }) => (
        <li key={title}>
          <Heading className={css.title}>{title}</Heading>
          <p className={css.text}>{text}</p>
        </li>
      ))}
    </ol>
  )
}
