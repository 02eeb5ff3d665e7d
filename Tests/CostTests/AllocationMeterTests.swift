import CAllocationCount
import Glibc
import TestSupport
import Testing

@Suite(.enabled(if: allocation_count_is_available()))
struct AllocationMeterTests {
    @Test("Code that does not use the heap counts no allocations")
    func nothing() {
        let meter = AllocationMeter { 1 }
        #expect(meter.allocations == 0 && meter.allocatedBytes == 0 && meter.liveBytes == 0)
    }

    @Test("A retained block counts as one allocation with at least the requested number of live bytes")
    func oneBlock() {
        var block: UnsafeMutableRawPointer?
        let meter = AllocationMeter { block = .allocate(byteCount: 1_000, alignment: 16) }
        #expect(meter.allocations == 1)
        #expect((1_000..<1_100).contains(meter.liveBytes) && meter.liveBytes == meter.allocatedBytes)
        let release = AllocationMeter { block?.deallocate() }
        #expect(release.allocations == 0 && release.liveBytes == -meter.liveBytes)
    }

    @Test("Aligned blocks are counted, and released with their allocated size")
    func alignedBlocks() {
        let meter = AllocationMeter {
            UnsafeMutableRawPointer.allocate(byteCount: 1_000, alignment: 4_096).deallocate()
        }
        #expect(meter.allocations == 1 && meter.allocatedBytes >= 1_000 && meter.liveBytes == 0)
    }

    @Test("A reallocated block counts as two allocations and leaves no live bytes")
    func reallocation() {
        var addresses: UInt = 0  // the optimizer may remove a block whose address is not used
        let meter = AllocationMeter {
            var block = malloc(100)
            addresses ^= UInt(bitPattern: block)
            block = realloc(block, 100_000)
            addresses ^= UInt(bitPattern: block)
            free(block)
        }
        #expect(addresses != 0)
        #expect(meter.allocations == 2 && meter.liveBytes == 0)
    }

    @Test("The counts of the process include those of other threads")
    func process() async {
        allocation_count_set_enabled(true)
        let before = allocation_count_of_process().allocations
        await Task.detached { UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16).deallocate() }.value
        #expect(allocation_count_of_process().allocations > before)
    }
}
