import NIOCore

/// Stands behind TLS, and hands on what is short in a buffer of its own length.
///
/// TLS reads into a buffer with room for two records, 32 KB, and where whoever waits for the rest of a head or a form still holds
/// it, copies all of it before it reads on: a byte now and then costs a thousand times what is read, and as much memory.
final class CompactingHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// Up to which length, in bytes; what is longer fills a good part of the buffer.
    static let lengthMax = 8 << 10

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let read = unwrapInboundIn(data)
        guard read.readableBytes <= Self.lengthMax else {
            context.fireChannelRead(data)
            return
        }
        context.fireChannelRead(wrapInboundOut(ByteBuffer(buffer: read)))
    }
}
