// A file without a name, mapped into memory. Not visible to Swift.
#pragma once
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>
#include <vector>

/// The scratch folder cannot be written.
struct no_space : std::system_error {
    no_space(int code, const std::string &folder) : std::system_error(code, std::generic_category(), folder) {}
};

/// Zero bytes at first; grows in steps, and what was not touched takes no room on the disk.
class scratch_file {
public:
    explicit scratch_file(const std::string &folder) : folder_(folder) {
        const std::string pattern = folder + "/.road-map-XXXXXX";
        std::vector<char> name(pattern.begin(), pattern.end());
        name.push_back('\0');
        descriptor_ = ::mkstemp(name.data());
        if (descriptor_ < 0) throw no_space(errno, folder);
        ::unlink(name.data());
    }
    scratch_file(const scratch_file &) = delete;
    scratch_file &operator=(const scratch_file &) = delete;
    ~scratch_file() {
        if (data_) ::munmap(data_, size_);
        ::close(descriptor_);
    }

    /// At least `bytes` bytes, mapped. Pointers into the file become invalid.
    unsigned char *at_least(std::size_t bytes) {
        if (bytes <= size_) return data_;
        const std::size_t step = std::size_t{64} << 20;
        const std::size_t size = (bytes + step - 1) / step * step;
        if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) throw no_space(errno, folder_);
        void *moved = data_ ? ::mremap(data_, size_, size, MREMAP_MAYMOVE)
                            : ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
        if (moved == MAP_FAILED) throw no_space(errno, folder_);
        data_ = static_cast<unsigned char *>(moved);
        size_ = size;
        return data_;
    }

    /// Makes sure that the disk has room for the first `bytes`, so that no write into the mapping can fail.
    void reserve(std::size_t bytes) {
        at_least(bytes);
        if (bytes == 0) return;
        const int code = ::posix_fallocate(descriptor_, 0, static_cast<off_t>(bytes));
        if (code != 0) throw no_space(code, folder_);
    }

    unsigned char *data() { return data_; }
    std::size_t size() const { return size_; }

private:
    std::string folder_;
    int descriptor_ = -1;
    unsigned char *data_ = nullptr;
    std::size_t size_ = 0;
};
