/** A label as it stands beside a title, in a list and in the timeline: its colour is a dot, its name is read. */
export interface ShownLabel {
  readonly id: number;
  readonly name: string;
  /** Six hexadecimal digits. */
  readonly color: string;
  readonly description: string;
}

export function LabelChip({ label }: { label: ShownLabel }) {
  const fill = /^[0-9a-f]{6}$/i.test(label.color) ? `#${label.color}` : "currentcolor";
  return (
    <span class="label-chip" title={label.description === "" ? undefined : label.description}>
      <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
        <circle cx={5} cy={5} r={4.5} fill={fill} />
      </svg>
      {label.name}
    </span>
  );
}
