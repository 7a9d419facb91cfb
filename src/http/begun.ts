/**
 * Returns the same stream once its first chunk has arrived, so that an earlier failure becomes a proper error response
 * instead of a broken connection.
 * @throws what the stream failed with
 */
export async function begun(stream: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>> {
  const reader = stream.getReader();
  let first: Awaited<ReturnType<typeof reader.read>> | undefined = await reader.read();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const step = first ?? (await reader.read());
        first = undefined;
        if (step.done) controller.close();
        else controller.enqueue(step.value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
