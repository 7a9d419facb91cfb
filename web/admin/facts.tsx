import type { Children } from "../jsx/types.ts";

/** A table of labelled facts. */
export function Facts({ children }: { children: Children }) {
  return (
    <div class="table-box">
      <table class="table admin-facts">
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

export function Fact({ label, children }: { label: string; children: Children }) {
  return (
    <tr>
      <th scope="row">{label}</th>
      <td>{children}</td>
    </tr>
  );
}
