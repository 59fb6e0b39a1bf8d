import { cx } from '../../../../ui/cx.ts'
import { SelectField, TextField, type Option } from '../../../../ui/fields/Field.tsx'
import { Popover } from '../../../../ui/overlays/Popover.tsx'
import { PLAIN_STYLE, type ChartSpec, type ChartStyle } from '../../types.ts'
import type { ChartData } from './data/chart-data.ts'
import { styleChoices } from './data/styled.ts'
import { StyleButton } from './buttons.tsx'
import css from './Pictures.module.css'

interface Props {
  readonly spec: ChartSpec
  /** The data before styling. */
  readonly data: ChartData
  readonly onSpec: (spec: ChartSpec) => void
}

/** Choices for titles, scale, stacking and order. */
export function Style({ spec, data, onSpec }: Props) {
  const style = spec.style ?? PLAIN_STYLE
  const change = (part: Partial<ChartStyle>): void => onSpec({ ...spec, style: { ...style, ...part } })
  const can = styleChoices(data)
  const title = (key: 'title' | 'xTitle' | 'yTitle' | 'rightTitle', label: string, usual: string) => (
    <TextField
      label={label}
      compact
      value={style[key] ?? ''}
      placeholder={usual}
      onChange={(text) => change({ [key]: text })}
    />
  )
  const choice = <K extends 'scale' | 'stack' | 'order'>(
    key: K,
    label: string,
    options: readonly Option<ChartStyle[K]>[],
  ) => (
    <SelectField<ChartStyle[K]>
      label={label}
      compact
      value={style[key]}
      options={options}
      onChange={(value) => change({ [key]: value })}
    />
  )
  return (
    <Popover title="Titles and scale" trigger={<StyleButton />}>
      <div className={cx(css.panel, css.fields)}>
        {title('title', 'Title', 'None')}
        {title('xTitle', 'X title', data.x.label)}
        {title('yTitle', 'Y title', spec.mark === 'heatmap' ? data.y.label : data.measure)}
        {data.right ? title('rightTitle', 'Right title', data.right.label) : null}
        {can.scale
          ? choice('scale', 'Scale', [
              { value: 'linear', label: 'Linear' },
              { value: 'log', label: 'Logarithmic' },
            ])
          : null}
        {can.stack
          ? choice('stack', 'Series', [
              { value: 'stacked', label: 'Stacked' },
              { value: 'share', label: 'Stacked to 100 %' },
              ...(can.beside ? [{ value: 'beside' as const, label: 'Side by side' }] : []),
            ])
          : null}
        {can.order
          ? choice('order', 'Order', [
              { value: 'greatest', label: 'Greatest first' },
              { value: 'least', label: 'Least first' },
              { value: 'name', label: 'By name' },
            ])
          : null}
      </div>
    </Popover>
  )
}
