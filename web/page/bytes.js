// Bytes that come with the page as scripts, so that it works from a folder without a server.

const waiting = new Map();

// Called by the scripts.
globalThis.ipseBytes = (name, text) => waiting.get(name)?.(text);

/** The bytes of a script in the folder of the page, by its name. */
export async function bytesOf(name) {
  const text = await new Promise((resolve, reject) => {
    waiting.set(name, resolve);
    const script = document.createElement("script");
    script.src = `modules/${name}.js`;
    script.onerror = () => reject(new Error(`modules/${name}.js could not be loaded; it belongs beside this page`));
    document.head.append(script);
  });
  waiting.delete(name);
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const plain = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(plain).arrayBuffer();
}
