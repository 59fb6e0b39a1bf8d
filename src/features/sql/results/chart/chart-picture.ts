import type { SqlSession } from '../../../../engine/client.ts'
import type { ChartSpec } from '../../types.ts'
import type { HeldRun } from '../types.ts'
import { styled } from './data/styled.ts'
import { svgPicture } from './draw/picture.ts'
import { fittingChart, sampleOf } from './model/suggest.ts'
import { fieldsOf } from './model/fields.ts'
import { readChart } from './read-chart.ts'

interface Pictured {
  readonly run: HeldRun
  readonly session: SqlSession | null
  readonly spec: ChartSpec
  readonly title: string
}

/**
 * A run's chart as SVG on a white background; null if its rows can't be drawn.
 * @throws the signal's reason
 */
export async function chartPicture(
  { run, session, spec, title }: Pictured,
  signal: AbortSignal,
): Promise<string | null> {
  const { result } = run
  const sample = sampleOf(result)
  const fields = fieldsOf(result.columns, sample)
  const shown = fittingChart(spec, fields, result, sample)
  if (!shown) return null
  const plain = await readChart({ run, session, spec: shown, fields }, signal)
  const data = styled(plain, shown.style)
  return svgPicture(data, { title: shown.style?.title || title, notes: data.notes, ground: 'white' })
}
