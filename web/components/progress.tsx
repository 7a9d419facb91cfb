/** A progress bar; indeterminate without `value`. */
export function Progress(props: { label: string; value?: number; max?: number; text?: string }) {
  return (
    <div class="progress">
      <p class="progress-text">
        <span>{props.label}</span>
        {props.text ? <span class="muted">{props.text}</span> : null}
      </p>
      <progress aria-label={props.label} value={props.value} max={props.max ?? 100} />
    </div>
  );
}
