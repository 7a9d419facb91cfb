/** Marks a file's header when it sticks to the top of the window, so that it can show the whole path. */
export function startStickyHead(): void {
  const head = document.querySelector(".file-head");
  const mark = document.querySelector(".file-top");
  if (!head || !mark) return;
  new IntersectionObserver(([entry]) => {
    if (entry) head.classList.toggle("stuck", !entry.isIntersecting && entry.boundingClientRect.top < 0);
  }).observe(mark);
}
